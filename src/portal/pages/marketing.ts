import { createHash } from 'node:crypto'
import { type Html, html } from '../../platform/text/html.ts'
import type { MarketingChoice } from '../../users/users/index.ts'
import type { Visit } from '../visit.ts'
import { formatInstant } from '../words/formats.ts'
import { LANGUAGES, type Language, WORDS } from '../words/words.ts'

type Sentence = Pick<MarketingChoice, 'agreed' | 'wording'> & { readonly language: Language }

function sentenceIn(language: Language, agreed: boolean, name: string): Sentence {
  const { yes, no } = WORDS[language].marketing
  return { agreed, language, wording: (agreed ? yes : no)(name) }
}

/** Returns the ID of a sentence for the form, so that exactly the sentence that the user read is recorded. */
function toId({ agreed, wording }: Sentence): string {
  return createHash('sha256').update(`${agreed}\n${wording}`).digest('hex')
}

/** Finds the sentence identified by a form; null if the portal no longer uses it. */
export function findSentence(id: string, { name }: Pick<Visit, 'name'>): Sentence | null {
  const all = LANGUAGES.flatMap((language) => [true, false].map((agreed) => sentenceIn(language, agreed, name)))
  return all.find((one) => toId(one) === id) ?? null
}

/** Renders the user's choices about marketing email, with buttons to change them. Nothing is preselected. */
export function renderMarketingPanel(visit: Visit, choices: readonly MarketingChoice[]): Html {
  const { words, base, language, name } = visit
  const { marketing } = words
  const [latest] = choices
  const saying = (agreed: boolean) => {
    const sentence = sentenceIn(language, agreed, name)
    return html`<form method="post" action="${base}/you/marketing">
      <p>${sentence.wording}</p>
      <input type="hidden" name="sentence" value="${toId(sentence)}" />
      <button class="btn small${agreed ? '' : ' soft'}">${agreed ? marketing.agree : latest === undefined ? marketing.decline : marketing.withdraw}</button>
    </form>`
  }
  return html`<section class="panel agreement">
    <h2>${marketing.title}</h2>
    ${latest !== undefined && html`<p>${(latest.agreed ? marketing.agreed : marketing.declined)(formatInstant(visit, latest.chosenAt))}</p>`}
    ${latest?.agreed !== true && saying(true)}
    ${latest?.agreed !== false && saying(false)}
    ${
      choices.length > 0 &&
      html`<details><summary>${marketing.history}</summary>
        <ul class="rules">${choices.map((one) => html`<li>${formatInstant(visit, one.chosenAt)}: <q lang="${one.language}">${one.wording}</q></li>`)}</ul>
      </details>`
    }
  </section>`
}
