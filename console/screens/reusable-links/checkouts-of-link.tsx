/** Checkouts of a reusable link for which a visitor has sent a card, the newest first. */
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { listCheckouts } from '#contract/merchant/checkout-lists.ts'
import { DataTable, type DataColumn } from '../../forms/data-table.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import { useReadPages } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { StatusBadge } from '../checkouts/status-badge.tsx'
import { linksWords } from './words.ts'

export const CheckoutsOfLink = ({ linkId }: { readonly linkId: string }) => {
  const words = useWords(linksWords)
  const { yen, time } = useFormats()
  const checkouts = useReadPages<MerchantCheckoutAnswer>(['checkouts of a link', linkId], (api, shop, after, signal) =>
    api.send(listCheckouts, { query: { linkId, ...(after === undefined ? {} : { after }) } }, shop, signal),
  )
  const columns: readonly DataColumn<MerchantCheckoutAnswer>[] = [
    { id: 'created', name: words.created, isShort: true, cell: ({ createdAt }) => time(createdAt) },
    { id: 'status', name: words.status, cell: (checkout) => <StatusBadge {...checkout} /> },
    { id: 'amount', name: words.amount, align: 'end', cell: ({ amount }) => yen(amount) },
    { id: 'shopper', name: words.shopper, cell: ({ shopper }) => shopper?.email ?? '' },
  ]
  return (
    <Card title={words.checkouts} isFlush>
      <Reading of={checkouts}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items)
          return items.length === 0 ? (
            <Empty title={words.noCheckouts} />
          ) : (
            <DataTable
              label={words.checkouts}
              columns={columns}
              items={items}
              idOf={({ id }) => id}
              hrefOf={({ id }) => `/checkouts/${id}`}
            />
          )
        }}
      </Reading>
      <MoreButton of={checkouts} />
    </Card>
  )
}
