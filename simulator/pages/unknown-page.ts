import { html } from './html.ts'
import type { Page } from './layout.ts'

/** For a person who took a wrong way; programs are told in the provider's words. */
export function unknownPage(): Page {
  return {
    title: 'No such page',
    kind: 'home',
    script: null,
    content: html`<header><h1>No such page</h1></header>
      <main><section><p>There is nothing at this address of the simulator.</p>
      <p><a href="/">To the simulator's page</a></p></section></main>`,
  }
}
