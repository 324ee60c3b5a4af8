/** Facts card: what is known of a checkout and its payment. */
import { DefinitionList, type DefinitionListItem } from '#ui/definition-list.tsx'
import { brandName } from '#contract/brand-name.ts'
import type { AuthenticationFacts, MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { Card } from '../../shell/screen.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { checkoutWords } from './words.ts'
import styles from './checkout.module.css'

export const FactsCard = ({ checkout }: { readonly checkout: MerchantCheckoutAnswer }) => {
  const [words, { yen, time }] = [useWords(checkoutWords), useFormats()]
  const { fact } = words
  const authenticated = ({ challenged, exemption }: AuthenticationFacts): string => {
    if (exemption !== undefined) return words.exempt
    return challenged ? words.challenged : words.frictionless
  }
  const { card, authentication, taxes = [] } = checkout
  const row = (name: string, value: string | undefined): DefinitionListItem[] =>
    value === undefined || value === '' ? [] : [{ name, value: <span className={styles['value']}>{value}</span> }]
  const items = [
    ...row(fact.reference, checkout.reference),
    ...taxes.flatMap(({ rate, amount }) => row(words.tax(rate), yen(amount))),
    ...row(fact.refunded, checkout.refundedAmount === 0 ? undefined : yen(checkout.refundedAmount)),
    ...row(fact.paid, checkout.paidAt === undefined ? undefined : time(checkout.paidAt)),
    ...row(fact.card, card === undefined ? undefined : `${brandName(card.brand)} ${card.number.slice(-4)}`),
    ...row(fact.authentication, authentication === undefined ? undefined : authenticated(authentication)),
    ...row(fact.email, checkout.shopper?.email),
    ...row(fact.created, time(checkout.createdAt)),
    ...row(fact.validUntil, checkout.status === 'open' ? time(checkout.validUntil) : undefined),
    ...row(fact.transaction, checkout.transactionId),
    ...row(fact.remarks, checkout.remarks),
    ...Object.entries(checkout.metadata).flatMap(([name, value]) => row(name, value)),
    ...row(fact.link, checkout.url),
    ...row(fact.id, checkout.id),
  ]
  return (
    <Card title={words.facts}>
      <DefinitionList items={items} />
    </Card>
  )
}
