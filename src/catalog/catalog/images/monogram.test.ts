import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawMonogram, toInitials } from './monogram.ts'

test('initials come from the first two words, or the first two characters of a single word', () => {
  const cases = [
    ['Corner Market', 'CM'],
    ['Acme', 'AC'],
    ['7-Eleven', '7E'],
    ["Macy's", 'MA'],
    ['Été', 'ÉT'],
    ['X', 'X'],
    ['!!!', '?'],
  ]
  for (const [name = '', initials] of cases) assert.equal(toInitials(name), initials)
})

test('a name always yields the same image, and different names yield different images', () => {
  assert.equal(drawMonogram('Acme', 'small'), drawMonogram('Acme', 'small'))
  assert.notEqual(drawMonogram('Acme', 'small'), drawMonogram('Bolt', 'small'))
})

test('a name cannot inject markup into the image', () => {
  const svg = drawMonogram(`"><script>alert('1')</script>&`, 'large')
  assert(!svg.includes('<script'))
  assert(svg.includes('aria-label="&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;"'))
})
