import type { Command } from 'commander'
import { allowRevealAs, parseCardId } from '../../src/payouts/gift-cards/index.ts'
import type { By } from '../actor.ts'
import { defineChange } from '../define.ts'
import { changeAs } from '../storage.ts'
import { answer, answerJson } from '../terminal.ts'

export function define(giftCards: Command): void {
  defineChange(giftCards, 'allow-reveal', 'let a publisher see the code of a card once more; does not print the code')
    .argument('<card>', 'the card (gcd_…)')
    .requiredOption('--reason <text>', 'the reason, for the audit log')
    .action(allow)
}

type Options = By & { readonly reason: string; readonly json?: true }

async function allow(card: string, { reason, by, json }: Options): Promise<void> {
  const cardId = parseCardId(card)
  const first = await changeAs(by, (tx, { actor, now }) => allowRevealAs(tx, { cardId, reason, by: actor }, now))
  const revealedAt = first?.toISOString() ?? null
  if (json) return answerJson({ card_id: card, first_revealed_at: revealedAt })
  answer(
    `The code of ${card} can be shown once more. It was ` +
      `${revealedAt === null ? 'never shown' : `first shown at ${revealedAt}`}.`,
  )
}
