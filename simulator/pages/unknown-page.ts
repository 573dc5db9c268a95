import { html } from './html.ts'
import type { Page } from './layout.ts'

/** Builds the page for people at an unknown address. Programs get the provider's error instead. */
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
