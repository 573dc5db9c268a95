import { useSuspenseQuery } from '@tanstack/react-query'
import Banknote from 'lucide-react/icons/banknote'
import FileCheck from 'lucide-react/icons/file-check'
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import UserPlus from 'lucide-react/icons/user-plus'
import { money, words } from '../../format.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { type Moment, Timeline } from '../../ui/timeline.tsx'
import { getName, isRefundAlone } from '../transactions/table.tsx'
import { toInstant } from './instants.ts'
import { acceptances, latestClaims, latestRedemptions, latestTransactions, user as userQuery } from './queries.ts'

const SHOWN = 12

/** The user's history, latest first. */
export function History({ publisher, user }: { readonly publisher: string; readonly user: string }) {
  const { data: known } = useSuspenseQuery(userQuery(publisher, user))
  const { data: terms } = useSuspenseQuery(acceptances(publisher, user))
  const { data: purchases } = useSuspenseQuery(latestTransactions(publisher, user))
  const { data: redemptions } = useSuspenseQuery(latestRedemptions(publisher, user))
  const { data: claims } = useSuspenseQuery(latestClaims(publisher, user))
  const moments: Moment[] = [
    { at: toInstant(known.created_at), title: 'Registered', icon: UserPlus },
    ...terms.map(({ accepted_at, revision }) => ({
      at: accepted_at,
      title: 'Accepted terms',
      text: revision,
      icon: FileCheck,
    })),
    ...purchases.content.map((purchase) => ({
      at: purchase.transaction_date_time,
      title:
        purchase.amount < 0 || isRefundAlone(purchase)
          ? `Got ${money(purchase.refunded_amount || -purchase.amount, purchase.currency)} back`
          : `Bought for ${money(purchase.amount, purchase.currency)}`,
      text: getName(purchase),
      icon: ShoppingBag,
    })),
    ...redemptions.map((one) => ({
      at: one.created_at,
      title: `Redeemed ${money(one.amount, one.currency)}`,
      text: words(one.status),
      icon: Banknote,
      gold: one.status === 'paid',
    })),
    ...claims.map((claim) => ({
      at: claim.created_at,
      title: 'Opened a claim',
      text: claim.merchant ?? words(claim.kind),
      icon: MessageCircleQuestion,
    })),
  ]
  const latest = moments.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, SHOWN)
  return (
    <Card>
      <CardTitle>What happened</CardTitle>
      <div className="px-5 pt-4 pb-3">
        <Timeline moments={latest} />
      </div>
    </Card>
  )
}
