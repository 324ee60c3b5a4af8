/** Links screen: the reusable links of the shop, the newest first. */
import { Link } from 'wouter'
import { listReusableLinks, type ReusableLinkAnswer } from '#contract/merchant/reusable-links.ts'
import { hasRole } from '#contract/console/roles.ts'
import { DataTable, type DataColumn } from '../../forms/data-table.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import { useShop } from '../../session/session.tsx'
import { useReadPages } from '../../session/use-calls.ts'
import { Card, Explanation, Screen } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { StatusBadge, useLinkAmount } from './link-facts.tsx'
import styles from './links.module.css'
import { linksWords } from './words.ts'

const NewLink = () => {
  const words = useWords(linksWords)
  return hasRole(useShop().role, 'staff') ? (
    <Link className={styles['create']} href="/new-link?kind=reusable">
      {words.create}
    </Link>
  ) : null
}

const useColumns = (): readonly DataColumn<ReusableLinkAnswer>[] => {
  const words = useWords(linksWords)
  const { day } = useFormats()
  const amountOf = useLinkAmount()
  return [
    { id: 'subject', name: words.subject, cell: ({ subject }) => subject ?? words.noSubject },
    { id: 'status', name: words.status, cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'amount', name: words.amount, align: 'end', cell: amountOf },
    {
      id: 'payments',
      name: words.payments,
      align: 'end',
      cell: ({ payments, maxPayments = null }) => words.ofLimit(payments, maxPayments),
    },
    {
      id: 'until',
      name: words.until,
      isShort: true,
      cell: ({ validUntil }) => (validUntil === undefined ? words.noEnd : day(validUntil)),
    },
    { id: 'created', name: words.created, isShort: true, cell: ({ createdAt }) => day(createdAt) },
  ]
}

export const LinksScreen = () => {
  const words = useWords(linksWords)
  const columns = useColumns()
  const links = useReadPages<ReusableLinkAnswer>(['links'], (api, shop, after, signal) =>
    api.send(listReusableLinks, { query: after === undefined ? {} : { after } }, shop, signal),
  )
  // While there is none, the button stands where the list will be.
  const hasAny = links.data?.pages.some(({ items }) => items.length > 0) === true
  return (
    <Screen title={words.title} actions={hasAny ? <NewLink /> : undefined}>
      <Explanation>{words.lead}</Explanation>
      <Reading of={links}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items)
          return items.length === 0 ? (
            <Empty icon="links" title={words.emptyTitle} action={<NewLink />}>
              {words.emptyText}
            </Empty>
          ) : (
            <Card isFlush>
              <DataTable
                label={words.list}
                columns={columns}
                items={items}
                idOf={({ id }) => id}
                hrefOf={({ id }) => `/links/${id}`}
              />
            </Card>
          )
        }}
      </Reading>
      <MoreButton of={links} />
    </Screen>
  )
}
