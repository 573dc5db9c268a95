const KEY = 'laurel-theme'
type Theme = 'light' | 'dark'

/** Restores the theme chosen earlier. If none was chosen, the system's theme applies. */
export function restoreTheme(): void {
  const kept = localStorage.getItem(KEY)
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset['theme'] = kept
}

export function toggleTheme(): void {
  const shown: string | undefined = document.documentElement.dataset['theme']
  const isDark = shown === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : shown === 'dark'
  const next: Theme = isDark ? 'light' : 'dark'
  document.documentElement.dataset['theme'] = next
  localStorage.setItem(KEY, next)
}
