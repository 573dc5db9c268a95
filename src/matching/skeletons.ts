const vowels: ReadonlySet<string> = new Set('aeiouy')

export const isVowel = (letter: string) => vowels.has(letter)

/**
 * What is left of a form when its vowels are left out: the first letter and the consonants, of several equal ones in a
 * row one, and `ck` as `k`. Names that are shortened so on statements share it with the full name.
 */
export function skeletonOf(form: string): string {
  let skeleton = form.slice(0, 1)
  for (let at = 1; at < form.length; at += 1) {
    const letter = form[at] ?? ''
    if (vowels.has(letter) || (letter === 'c' && form[at + 1] === 'k') || skeleton.endsWith(letter)) continue
    skeleton += letter
  }
  return skeleton
}
