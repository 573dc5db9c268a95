import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, renderMarkup } from './html.ts'

test('values in a template are always escaped', () => {
  const name = `<b title="1">&'</b>`
  const escaped = '&#60;b title=&#34;1&#34;&#62;&#38;&#39;&#60;/b&#62;'
  assert.equal(renderMarkup(html`<a title="${name}">${name}</a>`), `<a title="${escaped}">${escaped}</a>`)
})

test('templates nest, lists are joined, and absent values render as nothing', () => {
  const items = ['a', '<'].map((one) => html`<li>${one}</li>`)
  assert.equal(
    renderMarkup(html`<ul>${items}</ul>${null}${undefined}${false}${0}`),
    '<ul><li>a</li><li>&#60;</li></ul>0',
  )
})
