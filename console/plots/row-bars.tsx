/** Row bars: a name and a value in words over each bar, so that nothing is told by colour or length alone. */
import { scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useId } from 'react'
import { Hatch } from './hatch.tsx'
import styles from './plots.module.css'
import { useWidth } from './use-width.ts'

export interface RowBar {
  readonly name: string
  readonly amount: number
  /** What stands at its end. */
  readonly value: string
  /** One that is not what the shop hopes for. */
  readonly isHatched?: boolean
}

const ROW_PX = 48
const NAME_Y = 18
const BAR_Y = 26
const BAR_PX = 12

const classOf = (name: string): { className: string } => ({ className: styles[name] ?? '' })

interface RowBarsProps {
  readonly rows: readonly RowBar[]
  /** What a full bar stands for. */
  readonly most: number
}

const Rows = ({ rows, most, width }: RowBarsProps & { readonly width: number }) => {
  const hatch = useId()
  const x = scaleLinear({ domain: [0, Math.max(1, most)], range: [0, width] })
  const height = rows.length * ROW_PX
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} className={styles['plot']}>
      <Hatch id={hatch} />
      {rows.map(({ name, amount, value, isHatched = false }, at) => {
        const y = at * ROW_PX + BAR_Y
        return (
          <g key={name}>
            <text x={0} y={at * ROW_PX + NAME_Y} className={styles['name']}>
              {name}
            </text>
            <text x={width} y={at * ROW_PX + NAME_Y} textAnchor="end" className={styles['value']}>
              {value}
            </text>
            <Bar x={0} y={y} width={width} height={BAR_PX} rx={3} {...classOf('ground')} />
            <Bar
              x={0}
              y={y}
              width={amount === 0 ? 0 : Math.max(3, x(amount))}
              height={BAR_PX}
              rx={3}
              {...(isHatched ? { fill: `url(#${hatch})` } : {})}
              {...classOf(isHatched ? 'refunded' : 'charged')}
            />
          </g>
        )
      })}
    </svg>
  )
}

export const RowBars = ({ rows, most }: RowBarsProps) => {
  const [place, width] = useWidth()
  return (
    <div ref={place} className={styles['place']}>
      {width === 0 ? null : <Rows rows={rows} most={most} width={width} />}
    </div>
  )
}
