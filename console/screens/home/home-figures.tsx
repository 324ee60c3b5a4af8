/** Figures of home: money of today and of the last days, and three plots. */
import { useState } from 'react'
import { Link } from 'wouter'
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { hasRole } from '#contract/console/roles.ts'
import { BegunPlot } from '../../plots/begun-plot.tsx'
import { BrandPlot } from '../../plots/brand-plot.tsx'
import { MoneyPlot } from '../../plots/money-plot.tsx'
import { countedSince, totalOfDays, type Total } from '../../plots/total-of-days.ts'
import { useShop } from '../../session/session.tsx'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { homeWords } from './words.ts'
import styles from './home.module.css'

export const PERIODS = [7, 30, 90] as const
type Period = (typeof PERIODS)[number]

const Facts = ({ total }: { readonly total: Total }) => {
  const [words, { yen }] = [useWords(homeWords), useFormats()]
  return (
    <p className={styles['facts']}>
      <span>{words.chargesOf(withThousandsSeparators(total.charges))}</span>
      <span>{`${words.refunded} ${yen(total.refundedAmount)}`}</span>
      {total.disputedAmount === 0 ? null : <span>{`${words.disputed} ${yen(total.disputedAmount)}`}</span>}
      <span>{`${words.net} ${yen(total.netAmount)}`}</span>
    </p>
  )
}

interface TileProps {
  readonly name: string
  readonly total: Total
}

const Tile = ({ name, total }: TileProps) => {
  const { yen } = useFormats()
  return (
    <section className={styles['tile']}>
      <h2 className={styles['tileName']}>{name}</h2>
      <p className={styles['tileAmount']}>{yen(total.chargedAmount)}</p>
      <Facts total={total} />
    </section>
  )
}

const NewShop = () => {
  const words = useWords(homeWords)
  const mayMakeLinks = hasRole(useShop().role, 'staff')
  return (
    <Card>
      <Empty
        icon="newLink"
        title={words.emptyTitle}
        action={
          mayMakeLinks ? (
            <Link href="/new-link" className={styles['first']}>
              {words.newLink}
            </Link>
          ) : null
        }
      >
        {mayMakeLinks ? words.emptyText : words.emptyTextViewer}
      </Empty>
    </Card>
  )
}

const Plots = ({ days, file }: { readonly days: FiguresAnswer['days']; readonly file: (name: string) => string }) => {
  const words = useWords(homeWords)
  const { checkouts, cardBrands } = totalOfDays(days)
  return (
    <div className={styles['plots']}>
      <Card title={words.byDay}>
        <MoneyPlot days={days} file={file(words.files.money)} />
      </Card>
      <div className={styles['half']}>
        <Card title={words.begun}>
          <Explanation>{words.begunLead}</Explanation>
          <BegunPlot checkouts={checkouts} file={file(words.files.begun)} />
        </Card>
        <Card title={words.byBrand}>
          <BrandPlot cardBrands={cardBrands} file={file(words.files.brands)} />
        </Card>
      </div>
    </div>
  )
}

export const HomeFigures = ({ days }: { readonly days: FiguresAnswer['days'] }) => {
  const [words, { time }] = [useWords(homeWords), useFormats()]
  const [period, setPeriod] = useState<Period>(30)
  const last = (count: number): FiguresAnswer['days'] => days.slice(-count)
  const [today, all, countedAt] = [totalOfDays(last(1)), totalOfDays(days), countedSince(days)]
  if (all.checkouts.begun + all.charges + all.refunds === 0) return <NewShop />
  return (
    <>
      <div className={styles['tiles']}>
        <Tile name={words.today} total={today} />
        {PERIODS.map((count) => (
          <Tile key={count} name={words.lastDays(count)} total={totalOfDays(last(count))} />
        ))}
      </div>
      {countedAt === undefined ? null : <p className={styles['facts']}>{words.countedAt(time(countedAt))}</p>}
      <div className={styles['periods']} role="group" aria-label={words.period}>
        {PERIODS.map((count) => (
          <button
            key={count}
            type="button"
            className={styles['period']}
            aria-pressed={count === period}
            onClick={() => setPeriod(count)}
          >
            {words.days(count)}
          </button>
        ))}
      </div>
      <Plots days={last(period)} file={(name) => `${name}-${last(period)[0]?.date ?? ''}-${days.at(-1)?.date ?? ''}`} />
    </>
  )
}
