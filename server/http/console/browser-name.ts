/** Browser name: what a person recognises a session by, such as "Chrome, Android". */

/** The first that fits counts: Edge and Opera name Chrome too, and Chrome names Safari. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

/** Android names Linux too, and an iPad may name a Mac. */
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const

const firstIn = (text: string, table: readonly (readonly [string, string])[]): string | undefined =>
  table.find(([sign]) => text.includes(sign))?.[1]

/** Words of these tables and nothing else of what the browser has sent: it is stored and shown. */
export const browserName = (userAgent = ''): string =>
  [firstIn(userAgent, BROWSERS), firstIn(userAgent, SYSTEMS)].filter((name) => name !== undefined).join(', ') ||
  'another browser'
