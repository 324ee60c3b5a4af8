/** One reconciliation: on what both sides agree, and every break. */
import { Link, useParams } from 'wouter'
import {
  readReconciliation,
  type ReconciliationBreak,
  type ReconciliationWithBreaks,
} from '#contract/merchant/reconciliations.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { DefinitionList } from '#ui/definition-list.tsx'
import { Notice } from '../../forms/notice.tsx'
import { useRead } from '../../session/use-calls.ts'
import { BackLink, Card, Explanation, Screen } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { Result } from './reconciliations-card.tsx'
import { moneyWords } from './words.ts'
import styles from './money.module.css'

const Break = ({ found }: { readonly found: ReconciliationBreak }) => {
  const [words, { yen }] = [useWords(moneyWords), useFormats()]
  const { kind, movement, order, checkoutId, ourAmount, acquirerAmount } = found
  const fact = (name: string, value: string | undefined) => (value === undefined ? [] : [{ name, value }])
  const amount = (yenAmount: number | undefined) => (yenAmount === undefined ? undefined : yen(yenAmount))
  return (
    <li className={styles['break']}>
      <strong>{words.kinds[kind]}</strong>
      <DefinitionList
        items={[
          ...fact(words.movement, movement === undefined ? undefined : words.movementKinds[movement]),
          ...fact(words.ours, amount(ourAmount)),
          ...fact(words.theirs, amount(acquirerAmount)),
          ...fact(words.order, order),
        ]}
      />
      {checkoutId === undefined ? null : <Link href={`/checkouts/${checkoutId}`}>{words.checkout}</Link>}
    </li>
  )
}

const Breaks = ({ found, breaks }: Pick<ReconciliationWithBreaks, 'found' | 'breaks'>) => {
  const words = useWords(moneyWords)
  const more = breaks - found.length
  return (
    <Card title={words.found}>
      {breaks === 0 ? <p>{words.noBreaks}</p> : null}
      <ul className={styles['breaks']}>
        {found.map((each) => (
          <Break key={`${each.kind} ${each.words}`} found={each} />
        ))}
      </ul>
      {more > 0 ? <Explanation>{words.moreBreaks(more)}</Explanation> : null}
    </Card>
  )
}

const Agreed = ({ of }: { readonly of: ReconciliationWithBreaks }) => {
  const [words, { yen, day, time }] = [useWords(moneyWords), useFormats()]
  const both = (amount: number, count: number): string => words.amountOf(yen(amount), withThousandsSeparators(count))
  const disputed =
    of.chargebacks + of.chargebackReversals === 0
      ? []
      : [
          { name: words.chargebacks, value: both(of.chargebackAmount, of.chargebacks) },
          { name: words.reversed, value: both(of.reversedAmount, of.chargebackReversals) },
        ]
  return (
    <Card title={words.agreed}>
      <Explanation>{words.agreedLead}</Explanation>
      {of.problem === undefined ? null : (
        <Notice kind="warning">
          <p>{`${words.problem}: ${of.problem}`}</p>
        </Notice>
      )}
      <DefinitionList
        items={[
          { name: words.at, value: time(of.at) },
          { name: words.compared, value: `${day(of.from)} – ${day(of.to)}` },
          { name: words.result, value: <Result breaks={of.breaks} isComplete={of.isComplete} /> },
          { name: words.charged, value: both(of.chargedAmount, of.charges) },
          { name: words.refunded, value: both(of.refundedAmount, of.refunds) },
          ...disputed,
          { name: words.inDoubt, value: withThousandsSeparators(of.inDoubt) },
          { name: words.unanswered, value: withThousandsSeparators(of.unanswered) },
        ]}
      />
    </Card>
  )
}

export const ReconciliationScreen = () => {
  const words = useWords(moneyWords)
  const { reconciliationId = '' } = useParams()
  const reading = useRead(readReconciliation, { params: { reconciliationId } })
  return (
    <Screen title={words.reconciliation} actions={<BackLink href="/money">{words.back}</BackLink>}>
      <Reading of={reading}>
        {(of) => (
          <>
            <Breaks found={of.found} breaks={of.breaks} />
            <Agreed of={of} />
          </>
        )}
      </Reading>
    </Screen>
  )
}
