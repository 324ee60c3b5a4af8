/** Attention card: what needs a person at the shop and, for an operator, at the installation. */
import { Link } from 'wouter'
import { hasRole } from '#contract/console/roles.ts'
import { readAttention } from '#contract/merchant/attention.ts'
import { ATTENTION_COUNTED_MAX } from '#contract/merchant/attention-items.ts'
import { Icon } from '../../forms/icon.tsx'
import { useShop } from '../../session/session.tsx'
import { useRead } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { attentionWords } from './attention-words.ts'
import { tellItem, tellWarning, type NamedThing, type ToldAttention } from './tell-attention.ts'
import { homeWords } from './words.ts'
import styles from './home.module.css'

const REFETCH_MS = 30_000
/** So many things of one kind stand in its row; the others are unfolded. */
const IN_ROW = 3

const Thing = ({ of: { name, amount, href } }: { readonly of: NamedThing }) => {
  const { yen } = useFormats()
  const text = `${name}${amount === null ? '' : ` ${yen(amount)}`}`
  return href === null ? <span>{text}</span> : <Link href={href}>{text}</Link>
}

const OtherThings = ({ of: { things, count } }: { readonly of: ToldAttention }) => {
  const words = useWords(homeWords)
  const [others, unnamed] = [things.slice(IN_ROW), count - things.length]
  const isMore = count === ATTENTION_COUNTED_MAX
  if (count <= IN_ROW || others.length === 0) return null
  return (
    <details className={styles['others']}>
      <summary>{words.others(count - IN_ROW, isMore)}</summary>
      <p className={styles['itemLinks']}>
        {others.map((thing) => (
          <Thing key={thing.id} of={thing} />
        ))}
        {unnamed > 0 ? <span>{words.others(unnamed, isMore)}</span> : null}
      </p>
    </details>
  )
}

const Told = ({ of }: { readonly of: ToldAttention }) => {
  const words = useWords(homeWords)
  const { title, text, href, things, found } = of
  return (
    <li className={styles['item']}>
      <Icon name="warning" />
      <div className={styles['itemBody']}>
        <strong>{title}</strong>
        <p className={styles['itemText']}>{text}</p>
        {found.map((line) => (
          <p key={line} lang="en" className={styles['itemText']}>
            {line}
          </p>
        ))}
        {href === null && things.length === 0 ? null : (
          <p className={styles['itemLinks']}>
            {href === null ? null : <Link href={href}>{words.look}</Link>}
            {things.slice(0, IN_ROW).map((thing) => (
              <Thing key={thing.id} of={thing} />
            ))}
          </p>
        )}
        <OtherThings of={of} />
      </div>
    </li>
  )
}

export const AttentionCard = () => {
  const [words, told, { time }] = [useWords(homeWords), useWords(attentionWords), useFormats()]
  const isOwner = hasRole(useShop().role, 'owner')
  const reading = useRead(readAttention, {}, { again: REFETCH_MS })
  return (
    <Card title={words.attention}>
      <Reading of={reading}>
        {({ items, installation = [] }) => {
          const all = [
            ...items.map((item) => tellItem(item, told, time, isOwner)),
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
                <Told key={each.kind} of={each} />
              ))}
            </ul>
          )
        }}
      </Reading>
    </Card>
  )
}
