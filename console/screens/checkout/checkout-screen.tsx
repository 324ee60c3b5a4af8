/** Checkout screen: one checkout with its state, what it needs, what was given back and what happened to it. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { readMerchantCheckout } from '#contract/merchant/checkouts.ts'
import { listCheckoutRefunds, type RefundAnswer } from '#contract/merchant/refunds.ts'
import { useRead } from '../../session/use-calls.ts'
import { BackLink, Card, Screen } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { StatusBadge } from '../checkouts/status-badge.tsx'
import { CheckoutActions } from './checkout-actions.tsx'
import { FactsCard } from './facts-card.tsx'
import { CheckoutNotices } from './notices.tsx'
import { RefundsCard } from './refunds-card.tsx'
import { TimelineCard } from './timeline-card.tsx'
import { checkoutWords } from './words.ts'
import styles from './checkout.module.css'

/** While money may be moving, or somebody may pay, it is read again: the outcome of a doubt appears by itself. */
const READ_AGAIN_MS = 5000

const NO_REFUNDS: readonly RefundAnswer[] = []

/** Nothing of it changes by itself any more. */
const isOver = ({ status, paymentPending }: MerchantCheckoutAnswer, refunds: readonly RefundAnswer[]): boolean =>
  status !== 'open' && !paymentPending && refunds.every((refund) => refund.status !== 'pending')

interface DetailsProps {
  readonly checkout: MerchantCheckoutAnswer
  readonly refunds: readonly RefundAnswer[]
  readonly again: number | false
  onChanged(): Promise<unknown>
}

const Details = ({ checkout, refunds, again, onChanged }: DetailsProps) => {
  const { yen } = useFormats()
  const pending = refunds.filter(({ status }) => status === 'pending').length
  const version = [checkout.status, checkout.paymentPending, checkout.refundedAmount, refunds.length, pending].join()
  return (
    <>
      <Card>
        <div className={styles['head']}>
          <div className={styles['sum']}>
            <span className={styles['amount']}>{yen(checkout.amount)}</span>
            <StatusBadge {...checkout} />
          </div>
          {checkout.subject === undefined ? null : <p className={styles['subject']}>{checkout.subject}</p>}
        </div>
        <CheckoutActions checkout={checkout} refunds={refunds} onChanged={onChanged} />
      </Card>
      <CheckoutNotices checkout={checkout} />
      <div className={styles['columns']}>
        <FactsCard checkout={checkout} />
        <div className={styles['column']}>
          <RefundsCard refunds={refunds} />
          <TimelineCard checkoutId={checkout.id} version={version} again={again} />
        </div>
      </div>
    </>
  )
}

export const CheckoutScreen = () => {
  const words = useWords(checkoutWords)
  const { checkoutId } = useParams<{ checkoutId: string }>()
  const queries = useQueryClient()
  const [isSettled, setSettled] = useState(false)
  const again = isSettled ? false : READ_AGAIN_MS
  const checkout = useRead(readMerchantCheckout, { params: { checkoutId } }, { again })
  const isPaid = checkout.data?.paidAt !== undefined
  const refunds = useRead(
    listCheckoutRefunds,
    { params: { checkoutId }, query: { limit: '100' } },
    { enabled: isPaid, again },
  )
  const items = isPaid ? refunds.data?.items : NO_REFUNDS
  const settled = checkout.data !== undefined && items !== undefined && isOver(checkout.data, items)
  if (settled !== isSettled) setSettled(settled)
  return (
    <Screen title={words.title} actions={<BackLink href="/checkouts">{words.toList}</BackLink>}>
      <Reading of={checkout}>
        {(read) => (
          <Reading of={{ data: items, error: refunds.error, refetch: refunds.refetch }}>
            {(known) => (
              <Details checkout={read} refunds={known} again={again} onChanged={() => queries.invalidateQueries()} />
            )}
          </Reading>
        )}
      </Reading>
    </Screen>
  )
}
