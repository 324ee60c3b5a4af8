/** Bar plot: horizontal bars beside a limit, as SVG whose words are text. The same figures give the same bytes. */
export interface Bar {
  readonly label: string
  readonly value: number
}

export interface BarPlot {
  readonly title: string
  /** What the numbers are, for those who hear the plot. */
  readonly description: string
  readonly limit: number
  readonly bars: readonly Bar[]
}

const WIDTH = 720
const LEFT = 150
const RIGHT = 120
const TOP = 72
const ROW = 26
const BAR_HEIGHT = 16
const BELOW = 16

const INK = '#14181f'
const HOLDS = '#2f6b4f'
const OVER = '#b42318'

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Without trailing zeros, so that no number depends on how a machine prints it. */
const numeral = (value: number): string => String(Number(value.toFixed(2)))

/** The bar ends where its number stands; what is over the limit says so in words too, not by colour alone. */
const barSvg = ({ label, value }: Bar, row: number, limit: number, scale: number): string => {
  const y = TOP + row * ROW
  const isOver = value > limit
  const text = y + 13
  return [
    `<text x="${LEFT - 8}" y="${text}" text-anchor="end">${escapeXml(label)}</text>`,
    `<rect x="${LEFT}" y="${y}" width="${numeral(value * scale)}" height="${BAR_HEIGHT}" fill="${isOver ? OVER : HOLDS}"/>`,
    `<text x="${numeral(LEFT + value * scale + 6)}" y="${text}">${numeral(value)}${isOver ? ' (over)' : ''}</text>`,
  ].join('\n')
}

export const barPlot = ({ title, description, limit, bars }: BarPlot): string => {
  const height = TOP + bars.length * ROW + BELOW
  const longest = Math.max(limit, ...bars.map(({ value }) => value))
  const scale = (WIDTH - LEFT - RIGHT) / (longest === 0 ? 1 : longest)
  const limitX = numeral(LEFT + limit * scale)
  const spoken = bars.map(({ label, value }) => `${label} ${numeral(value)}`).join(', ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif" font-size="13" fill="${INK}">
<title id="title">${escapeXml(title)}</title>
<desc id="desc">${escapeXml(`${description} The limit is ${numeral(limit)}. ${spoken}.`)}</desc>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="16" y="26" font-size="16" font-weight="600">${escapeXml(title)}</text>
${bars.map((bar, row) => barSvg(bar, row, limit, scale)).join('\n')}
<line x1="${limitX}" y1="${TOP - 8}" x2="${limitX}" y2="${height - BELOW}" stroke="${INK}" stroke-width="1.5" stroke-dasharray="4 3"/>
<text x="${limitX}" y="${TOP - 14}" text-anchor="middle">limit ${numeral(limit)}</text>
</svg>
`
}
