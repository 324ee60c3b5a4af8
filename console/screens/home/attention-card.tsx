/** Attention card: what needs a person at the shop and, for an operator, at the installation. */
import { Link } from 'wouter'
import { readAttention } from '#contract/merchant/attention.ts'
import { Icon } from '../../forms/icon.tsx'
import { useRead } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { attentionWords } from './attention-words.ts'
import { checkoutAddress, tellItem, tellWarning, type ToldAttention } from './tell-attention.ts'
import { homeWords } from './words.ts'
import styles from './home.module.css'

const REFETCH_MS = 30_000
/** So many checkouts of one kind are named. */
const NAMED = 3

const Told = ({ title, text, href, checkouts }: ToldAttention) => {
  const [words, { yen }] = [useWords(homeWords), useFormats()]
  const others = checkouts.length - NAMED
  return (
    <li className={styles['item']}>
      <Icon name="warning" />
      <div className={styles['itemBody']}>
        <strong>{title}</strong>
        <p className={styles['itemText']}>{text}</p>
        {href === null && checkouts.length === 0 ? null : (
          <p className={styles['itemLinks']}>
            {href === null ? null : <Link href={href}>{words.look}</Link>}
            {checkouts.slice(0, NAMED).map(({ checkoutId, amount }) => (
              <Link key={checkoutId} href={checkoutAddress(checkoutId)}>
                {`${checkoutId.slice(0, 8)}…${amount === null ? '' : ` ${yen(amount)}`}`}
              </Link>
            ))}
            {others > 0 ? <span>{words.others(others)}</span> : null}
          </p>
        )}
      </div>
    </li>
  )
}

export const AttentionCard = () => {
  const [words, told, { time }] = [useWords(homeWords), useWords(attentionWords), useFormats()]
  const reading = useRead(readAttention, {}, { refetchInterval: REFETCH_MS })
  return (
    <Card title={words.attention}>
      <Reading of={reading}>
        {({ items, installation = [] }) => {
          const all = [
            ...items.map((item) => tellItem(item, told, time)),
            ...installation.map((warning) => tellWarning(warning, told, time)),
          ]
          return all.length === 0 ? (
            <p className={styles['calm']}>
              <Icon name="check" />
              <span>{words.nothing}</span>
            </p>
          ) : (
            <ul className={styles['items']}>
              {all.map((each) => (
                <Told key={each.kind} {...each} />
              ))}
            </ul>
          )
        }}
      </Reading>
    </Card>
  )
}
