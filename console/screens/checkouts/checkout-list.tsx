/** List of checkouts: page behind page, the next one when its end comes into view or when it is asked for. */
import { useCallback, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { brandName } from '#contract/brand-name.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { listCheckouts } from '#contract/merchant/checkout-lists.ts'
import { hasRole } from '#contract/console/roles.ts'
import { DataTable, type DataColumn } from '../../forms/data-table.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import { useShop } from '../../session/session.tsx'
import { useReadPages } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { Empty, Failed, Loading, NotReadAgain } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { queryOf, type Filters } from './filters.ts'
import { StatusBadge } from './status-badge.tsx'
import { checkoutsWords } from './words.ts'
import styles from './checkouts.module.css'

const PAGE = '50'

const useColumns = (): readonly DataColumn<MerchantCheckoutAnswer>[] => {
  const [words, { yen, time }] = [useWords(checkoutsWords), useFormats()]
  return [
    {
      id: 'what',
      name: words.what,
      isHead: true,
      cell: ({ subject, reference }) => (
        <span className={styles['what']}>
          <span>{subject ?? reference ?? words.nameless}</span>
          {subject === undefined || reference === undefined ? null : (
            <span className={styles['detail']}>{reference}</span>
          )}
        </span>
      ),
    },
    {
      id: 'amount',
      name: words.amount,
      align: 'end',
      cell: ({ amount }) => <span className={styles['amount']}>{yen(amount)}</span>,
    },
    { id: 'status', name: words.status, cell: (checkout) => <StatusBadge {...checkout} /> },
    { id: 'createdAt', name: words.createdAt, isShort: true, cell: ({ createdAt }) => time(createdAt) },
    {
      id: 'card',
      name: words.paidWith,
      isShort: true,
      cell: ({ card, shopper }) => (
        <span className={styles['what']}>
          <span>{card === undefined ? '–' : `${brandName(card.brand)} ${card.number.slice(-4)}`}</span>
          {shopper?.email === undefined ? null : <span className={styles['email']}>{shopper.email}</span>}
        </span>
      ),
    },
  ]
}

/**
 * Calls `onSeen` when the element is near the window; null: nothing waits for it. An observer tells of a crossing alone, and
 * after a short page the element stays where it is: whenever something waits for it again, a new observer begins by telling.
 */
const useSeen = (onSeen: (() => void) | null) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (onSeen === null || element.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
      },
      { rootMargin: '400px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [onSeen])
  return element
}

const Nothing = ({ hasFilters }: { readonly hasFilters: boolean }) => {
  const words = useWords(checkoutsWords)
  const { role } = useShop()
  if (hasFilters) return <Empty title={words.noneTitle}>{words.noneText}</Empty>
  const action = hasRole(role, 'staff') ? (
    <Link className={styles['new']} href="/new-link">
      {words.newLink}
    </Link>
  ) : undefined
  return (
    <Empty title={words.emptyTitle} {...(action === undefined ? {} : { action })}>
      {words.emptyText}
    </Empty>
  )
}

export const CheckoutList = ({ filters }: { readonly filters: Filters }) => {
  const words = useWords(checkoutsWords)
  const columns = useColumns()
  const query = queryOf(filters)
  const pages = useReadPages<MerchantCheckoutAnswer>([listCheckouts.path, query], (api, shop, after, signal) =>
    api.send(
      listCheckouts,
      { query: { ...query, limit: PAGE, ...(after === undefined ? {} : { after }) } },
      shop,
      signal,
    ),
  )
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = pages
  const lastPage = data?.pages.at(-1)
  const next = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const end = useSeen(hasNextPage && !isFetchingNextPage && error === null ? next : null)
  const items = data?.pages.flatMap((page) => page.items) ?? []
  // With rare filters a page may be empty and the list go on.
  const isSearching = data === undefined || isFetchingNextPage || (lastPage?.items.length === 0 && hasNextPage)
  return (
    <Card isFlush>
      {items.length === 0 ? null : (
        <DataTable
          label={words.list}
          columns={columns}
          items={items}
          idOf={({ id }) => id}
          hrefOf={({ id }) => `/checkouts/${id}`}
        />
      )}
      {data === undefined && error !== null ? (
        <Failed failure={error.failure} retry={() => void refetch()} />
      ) : (
        <NotReadAgain of={pages} />
      )}
      {items.length === 0 && !isSearching && error === null ? (
        <Nothing hasFilters={Object.keys(query).length > 0} />
      ) : null}
      {isSearching && error === null ? <Loading /> : null}
      <div ref={end} className={styles['end']}>
        {items.length === 0 ? null : (
          <p role="status" className={styles['count']}>
            {hasNextPage ? words.searching(items.length) : words.shown(items.length)}
          </p>
        )}
        <MoreButton of={pages} />
      </div>
    </Card>
  )
}
