/** Day bars: a bar for each day, what was charged upwards and what was refunded downwards. */
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar, Line } from '@visx/shape'
import { useId } from 'react'
import { Hatch } from './hatch.tsx'
import styles from './plots.module.css'
import { useWidth } from './use-width.ts'

export interface DayBar {
  /** Such as 2026-11-22. */
  readonly date: string
  readonly up: number
  readonly down: number
}

interface DayBarsProps {
  readonly days: readonly DayBar[]
  readonly upName: string
  readonly downName: string
  /** A short amount beside the plot, such as 12万. */
  short(amount: number): string
}

const HEIGHT = 220
const MARGIN = { top: 8, right: 4, bottom: 24, left: 52 }
/** So much room has the name of a day. */
const DAY_NAME_PX = 48
/** A bar of one yen beside one of a million must not vanish. */
const LEAST_PX = 2

const classOf = (name: string): { className: string } => ({ className: styles[name] ?? '' })

/** 11/22: the year is in the heading of the range. */
const dayName = (date: string): string => `${Number(date.slice(5, 7))}/${Number(date.slice(8, 10))}`

const Swatch = ({ fill }: { readonly fill: string | null }) => {
  const hatch = useId()
  return (
    <svg width="14" height="14" aria-hidden="true">
      <Hatch id={hatch} />
      <rect
        x="1"
        y="1"
        width="12"
        height="12"
        className={styles[fill === null ? 'charged' : 'refunded']}
        {...(fill === null ? {} : { fill: `url(#${hatch})` })}
      />
    </svg>
  )
}

const Bars = ({ days, width, short }: Pick<DayBarsProps, 'days' | 'short'> & { readonly width: number }) => {
  const hatch = useId()
  const most = Math.max(1, ...days.map(({ up }) => up))
  const least = Math.max(0, ...days.map(({ down }) => down))
  const x = scaleBand({
    domain: days.map(({ date }) => date),
    range: [MARGIN.left, width - MARGIN.right],
    padding: 0.25,
  })
  const y = scaleLinear({ domain: [-least, most], range: [HEIGHT - MARGIN.bottom, MARGIN.top], nice: true })
  const [zero, barWidth] = [y(0), Math.max(1, x.bandwidth())]
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor((width - MARGIN.left) / DAY_NAME_PX))))
  // Counted from the last day: today has always its name.
  const named = days.filter((_day, at) => (days.length - 1 - at) % every === 0).map(({ date }) => date)
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} className={styles['plot']}>
      <Hatch id={hatch} />
      {y.ticks(4).map((amount) => (
        <Line
          key={amount}
          from={{ x: MARGIN.left, y: y(amount) }}
          to={{ x: width - MARGIN.right, y: y(amount) }}
          {...classOf(amount === 0 ? 'zero' : 'rule')}
        />
      ))}
      {days.map(({ date, up, down }) => {
        const left = x(date) ?? 0
        const upHeight = up === 0 ? 0 : Math.max(LEAST_PX, zero - y(up))
        const downHeight = down === 0 ? 0 : Math.max(LEAST_PX, y(-down) - zero)
        return (
          <g key={date}>
            <Bar x={left} y={zero - upHeight} width={barWidth} height={upHeight} {...classOf('charged')} />
            <Bar
              x={left}
              y={zero}
              width={barWidth}
              height={downHeight}
              fill={`url(#${hatch})`}
              {...(downHeight === 0 ? {} : classOf('refunded'))}
            />
          </g>
        )
      })}
      <AxisLeft
        scale={y}
        left={MARGIN.left}
        numTicks={4}
        hideAxisLine
        hideTicks
        tickFormat={(amount) => short(Math.abs(Number(amount)))}
        tickLabelProps={{ ...classOf('words'), dx: -4, dy: 4, textAnchor: 'end' }}
      />
      <AxisBottom
        scale={x}
        top={HEIGHT - MARGIN.bottom}
        tickValues={named}
        hideAxisLine
        hideTicks
        tickFormat={dayName}
        tickLabelProps={{ ...classOf('words'), dy: 2, textAnchor: 'middle' }}
      />
    </svg>
  )
}

export const DayBars = ({ days, upName, downName, short }: DayBarsProps) => {
  const [place, width] = useWidth()
  return (
    <>
      <ul className={styles['legend']}>
        <li>
          <Swatch fill={null} />
          {upName}
        </li>
        <li>
          <Swatch fill="hatched" />
          {downName}
        </li>
      </ul>
      <div ref={place} className={styles['place']}>
        {width === 0 ? null : <Bars days={days} width={width} short={short} />}
      </div>
    </>
  )
}
