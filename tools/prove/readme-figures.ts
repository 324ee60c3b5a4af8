/** README figures: the table of README.md, in each language, that says how each promise was tried, written from what was measured last. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { markdownTable } from '../markdown-table.ts'

/** The figures of one proof or bench. One that is missing is an error: its sentence would say something false without it. */
export const figuresOf = (results: unknown, measured: string): ((name: string) => string) => {
  const result = isRecord(results) ? results[measured] : undefined
  const figures = isRecord(result) ? result['figures'] : undefined
  return (name) => {
    const figure = isRecord(figures) ? figures[name] : undefined
    if (typeof figure === 'number') return figure.toLocaleString('en-US')
    if (typeof figure === 'string') return figure
    throw new CommandError(`${measured} has no figure ${name}`)
  }
}

/** By the command that measures them, in English and in Japanese. A name in braces is a figure. */
const SENTENCES: Readonly<Record<string, readonly [english: string, japanese: string]>> = {
  'prove simulation': [
    '{checkouts} simulated checkouts with {crashes} crashes: {brokenPromises} broken promises',
    '{checkouts}件のチェックアウトを模擬し、{crashes}回クラッシュさせた：破られた約束は{brokenPromises}件',
  ],
  'prove planted-bugs': [
    '{bugs} bugs planted in the code: {foundBySimulation} found by the simulation, {foundByTests} by a test',
    'コードに{bugs}個のバグを仕込んだ：シミュレーションが{foundBySimulation}個、テストが{foundByTests}個を発見',
  ],
  'prove crashes': [
    '{killsOnSqlite} kills of real processes on SQLite, {killsOnPostgres} on PostgreSQL: {lost} of {acknowledgedWrites} acknowledged writes lost, {doubleCharges} double charges',
    '実際のプロセスを、SQLiteで{killsOnSqlite}回、PostgreSQLで{killsOnPostgres}回強制終了した：応答済みの書き込み{acknowledgedWrites}件のうち失われたもの{lost}件、二重請求{doubleCharges}件',
  ],
  'prove fleet': [
    '{faults} faults under load of three servers, two workers, HAProxy, three PostgreSQL and Valkey: {lost} of {acknowledgedWrites} acknowledged writes lost, {doubleCharges} double charges, {answers500} answers of 500; {paidWhileReplaced} payments while every server was replaced, also by the next release: {failuresOutsideWindows} calls failed',
    '負荷をかけながら、サーバー3台、ワーカー2台、HAProxy、PostgreSQL 3台、Valkeyに障害を{faults}回起こした：応答済みの書き込み{acknowledgedWrites}件のうち失われたもの{lost}件、二重請求{doubleCharges}件、500の応答{answers500}件。全サーバーを1台ずつ、次のリリースにも入れ替える間の支払い{paidWhileReplaced}件：失敗した呼び出し{failuresOutsideWindows}件',
  ],
  'prove dropped-answers': [
    '{dropped} answers to "pay" dropped on their way to the browser: {receipts} receipts, "failed" said {everSaidFailed} times, at most {mostChargesOfOneCheckout} charge of a checkout',
    '決済の応答を、ブラウザに届く前に{dropped}回破棄した：明細の表示{receipts}件、「失敗」の表示{everSaidFailed}回、チェックアウト1件の請求は最大{mostChargesOfOneCheckout}回',
  ],
  'prove backup': [
    '{backupsOfSqlite} backups of SQLite and {backupsOfPostgres} of PostgreSQL taken under load, each restored elsewhere: {lost} of {acknowledgedBeforeTheBackup} acknowledged writes lost, {doubleCharges} double charges after {chargesAfterTheBackup} that the backups did not hold',
    '負荷をかけながら、SQLiteで{backupsOfSqlite}回、PostgreSQLで{backupsOfPostgres}回バックアップを取り、別の場所に復元した：応答済みの書き込み{acknowledgedBeforeTheBackup}件のうち失われたもの{lost}件、バックアップにない請求{chargesAfterTheBackup}件の後の二重請求{doubleCharges}件',
  ],
  'prove webhooks': [
    '{SQLite: events} events to endpoints that fail, with {SQLite: crashes} crashes: {lost} lost; {altered} altered webhooks: {alteredAccepted} accepted',
    '{SQLite: events}件のイベントを障害のある送信先に送り、{SQLite: crashes}回クラッシュさせた：失われたもの{lost}件。改変したWebhookを{altered}件送った：受け入れたもの{alteredAccepted}件',
  ],
  'prove canaries': [
    '{flows} flows with marked cards, {bytesScanned} bytes that the server wrote: {hits} card numbers or security codes among them',
    '目印を付けたカードで支払いの流れを{flows}回たどり、サーバーが書き出した{bytesScanned}バイトを調べた：見つかったカード番号とセキュリティコードは{hits}件',
  ],
  'prove card-testing': [
    '{distributed: cards tried} stolen cards from many addresses: {distributed: charges before the forced challenge} charges asked for before the forced challenge, {distributed: charges without a challenge while a challenge is forced} without a challenge after it; {honest shoppers: refused} of {honest shoppers: shoppers} honest shoppers refused',
    '盗まれたカード{distributed: cards tried}枚を多数のアドレスから試した：チャレンジ認証を強制する前の請求{distributed: charges before the forced challenge}件、強制した後の認証なしの請求{distributed: charges without a challenge while a challenge is forced}件。正当な購入者{honest shoppers: shoppers}人のうち拒否された人{honest shoppers: refused}人',
  ],
  'prove bad-day': [
    '{attacks} attacks from outside, each of which had stopped a shop, misled it or lost something: {broken} of {limits} limits broken; the dearest of {request-cost: generated requests} requests takes {request-cost: dearest generated request, ms of CPU} ms of CPU',
    'ショップを止める、欺く、データを失わせるなど、以前は成功していた外部からの攻撃{attacks}種類：{limits}個の制限のうち破られたもの{broken}個。{request-cost: generated requests}件のリクエストのうち最も重いものでCPU時間{request-cost: dearest generated request, ms of CPU} ms',
  ],
  'prove hostile-page': [
    '{waysOut} ways to carry a number out of the page by a hostile script: {waysOpen} open in Chromium, {waysOpenWithoutAllowlist} in browsers that know no list of allowed addresses',
    '悪意のあるスクリプトがカード番号をページの外に持ち出す方法{waysOut}通り：Chromiumで可能なもの{waysOpen}通り、許可リストに対応しないブラウザで{waysOpenWithoutAllowlist}通り',
  ],
  'prove fuzz': [
    '{requests} mutated requests: {answers5xx} answers 5xx (beside those of the page `/500`), {hangs} hangs, {crashes} crashes',
    '改変したリクエスト{requests}件：5xxの応答{answers5xx}件（`/500`のページを除く）、ハング{hangs}回、クラッシュ{crashes}回',
  ],
  'prove axe': [
    '{checks} checks of accessibility, {screens} screens in {languages} languages: {violations} violations',
    'アクセシビリティの検査{checks}件、{languages}言語の{screens}画面：違反{violations}件',
  ],
  'prove browsers': [
    'a payment with a challenge in real {realBrowsers}: {paidInRealBrowsers} paid',
    '実際のブラウザ（{realBrowsers}）で、チャレンジ認証のある支払い：完了{paidInRealBrowsers}件',
  ],
  'prove release': [
    'a release of {bytes} bytes with {packages} packages, built {identicalBuilds} times: the same bytes; {msToFirstPayment} ms from unpacking to a payment',
    '{packages}個のパッケージを含む{bytes}バイトのリリースを{identicalBuilds}回ビルドした：バイト単位で同一。展開から支払い完了まで{msToFirstPayment} ms',
  ],
  'bench server': [
    'payments a second on 2 cores, acquirer and 3-D Secure answering at once: {PostgreSQL payment: perSecond} on PostgreSQL, {SQLite payment: perSecond} on SQLite',
    'アクワイアラーと3-Dセキュアが即座に応答するとき、2コアで1秒間に処理できる支払い：PostgreSQLで{PostgreSQL payment: perSecond}件、SQLiteで{SQLite payment: perSecond}件',
  ],
}

/** The figures of all proofs and of all benches, as docs/proof.json and docs/bench.json hold them. */
export type Results = Readonly<Record<'prove' | 'bench', unknown>>

export const readResults = (root: string): Results => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, 'docs', file), 'utf8'))
  return { prove: read('proof.json'), bench: read('bench.json') }
}

interface Readme {
  readonly file: string
  readonly head: readonly [found: string, ran: string, command: string]
  /** The day of the last run, and how often the product code has changed since. */
  readonly ran: (day: string, changes: string) => string
  /** Its place among the sentences. */
  readonly language: 0 | 1
}

/** The same table in each language of the README. */
export const READMES: readonly Readme[] = [
  {
    file: 'README.md',
    head: ['Tried, and found', 'Last run', 'Run it again'],
    ran: (day, changes) => `${day}, before ${changes} ${changes === '1' ? 'change' : 'changes'}`,
    language: 0,
  },
  {
    file: 'docs/ja/README.md',
    head: ['試したことと結果', '実行日', '再実行するコマンド'],
    ran: (day, changes) => `${day}（以後の変更：${changes === 'unknown' ? '不明' : `${changes}件`}）`,
    language: 1,
  },
]

interface Row {
  /** As in `prove fuzz`. */
  readonly command: string
  readonly results: unknown
  readonly result: Record<string, unknown>
}

/** One that was never run has no row; it has one from its first run on. */
export const rowsOf = ({ prove, bench }: Results): Row[] =>
  Object.keys(SENTENCES).flatMap((command) => {
    const [kind, name = ''] = command.split(' ')
    const results = kind === 'bench' ? bench : prove
    const result = isRecord(results) ? results[name] : undefined
    return isRecord(result) ? [{ command, results, result }] : []
  })

export const npmCommand = (command: string): string => `npm run ${command.replace(' ', ' -- ')}`

const lastRun = ({ ran }: Readme, { date, changesSince }: Row['result']): string => {
  const day = String(date).slice(0, 10)
  if (changesSince === 0) return day
  return ran(day, typeof changesSince === 'number' ? changesSince.toLocaleString('en-US') : 'unknown')
}

/** The table as the formatter would align it. */
const tableOf = (readme: Readme, all: Results): string =>
  markdownTable(
    readme.head,
    rowsOf(all).map(({ command, results, result }) => {
      const figure = figuresOf(results, command.split(' ')[1] ?? '')
      const sentence = SENTENCES[command]?.[readme.language] ?? ''
      const found = sentence.replaceAll(/\{([^}]+)\}/g, (_all, named: string) => figure(named))
      return [found, lastRun(readme, result), `\`${npmCommand(command)}\``]
    }),
  )

const TABLE = /(<!-- figures: .*? -->\n\n).*?(\n\n<!-- end of figures -->)/s

export const withFigures = (readme: Readme, text: string, results: Results): string => {
  if (!TABLE.test(text)) throw new CommandError(`${readme.file} has no table of figures any more`)
  return text.replace(TABLE, (_all, begin: string, end: string) => `${begin}${tableOf(readme, results)}${end}`)
}

/** After each proof and each bench: a README that names older figures would fail `npm test`. */
export const writeFiguresToReadme = (root: string): void => {
  const results = readResults(root)
  for (const readme of READMES) {
    const file = join(root, readme.file)
    writeFileSync(file, withFigures(readme, readFileSync(file, 'utf8'), results))
  }
}
