/**
 * Watermark: says all over a preview that nothing on it is real, in rows of the page's language and the visitor's. It is
 * drawn, not a background, which browsers do not print. For screen readers its words stand in the notice.
 */
import type { PageLocale } from '#contract/locale.ts'
import type { Words } from '../words/en-US.ts'
import styles from './watermark.module.css'

/** What a watermark says, in one language. */
export interface WatermarkWords {
  readonly locale: PageLocale
  readonly words: Words['preview']
}

const PATTERN_ID = 'preview-watermark'
const TILE_WIDTH = 480
const ROW_HEIGHT = 240

interface StampProps {
  readonly x: number
  readonly row: 0 | 1
  readonly stamp: WatermarkWords
}

const Stamp = ({ x, row, stamp: { locale, words } }: StampProps) => {
  const top = row * ROW_HEIGHT
  return (
    <>
      <text className={`${styles['words']} ${styles['sample']}`} lang={locale} x={x} y={top + 100}>
        {words.sample}
      </text>
      <text className={styles['words']} lang={locale} x={x} y={top + 120}>
        {words.notReal}
      </text>
    </>
  )
}

export const Watermark = ({ page, visitor }: { readonly page: WatermarkWords; readonly visitor: WatermarkWords }) => (
  <svg className={styles['watermark']} aria-hidden="true">
    <defs>
      <pattern
        id={PATTERN_ID}
        width={TILE_WIDTH}
        height={2 * ROW_HEIGHT}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-24)"
      >
        <Stamp x={TILE_WIDTH / 2} row={0} stamp={page} />
        {/* Half a tile aside, and therefore at both edges, where the tile cuts it into halves. */}
        <Stamp x={0} row={1} stamp={visitor} />
        <Stamp x={TILE_WIDTH} row={1} stamp={visitor} />
      </pattern>
    </defs>
    <rect width="100%" height="100%" fill={`url(#${PATTERN_ID})`} />
  </svg>
)
