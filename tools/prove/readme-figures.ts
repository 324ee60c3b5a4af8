/** README figures: the table of README.md, in each language, that says how each promise was tried, written from what was measured last. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { markdownTable } from '../markdown-table.ts'

type Figure = (name: string) => string

/** The figures of one proof or bench. One that is missing is an error: its sentence would say something false without it. */
export const figuresOf = (results: unknown, measured: string): Figure => {
  const result = isRecord(results) ? results[measured] : undefined
  const figures = isRecord(result) ? result['figures'] : undefined
  return (name) => {
    const figure = isRecord(figures) ? figures[name] : undefined
    if (typeof figure === 'number') return figure.toLocaleString('en-US')
    if (typeof figure === 'string') return figure
    throw new CommandError(`${measured} has no figure ${name}`)
  }
}

interface Sentence {
  say(figure: Figure): string
  sayInJapanese(figure: Figure): string
}

/** By the command that measures them. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  'prove simulation': {
    say: (of) =>
      `${of('checkouts')} simulated checkouts with ${of('crashes')} crashes: ${of('brokenPromises')} broken promises`,
    sayInJapanese: (of) =>
      `${of('checkouts')}件のチェックアウトを模擬し、${of('crashes')}回クラッシュさせた：破られた約束は${of('brokenPromises')}件`,
  },
  'prove planted-bugs': {
    say: (of) => `${of('bugs')} bugs planted in the code: ${of('caught')} found by the simulation`,
    sayInJapanese: (of) => `コードに${of('bugs')}個のバグを仕込んだ：シミュレーションが${of('caught')}個を発見`,
  },
  'prove crashes': {
    say: (of) =>
      `${of('killsOnSqlite')} kills of real processes on SQLite, ${of('killsOnPostgres')} on PostgreSQL: ${of('lost')} of ${of('acknowledgedWrites')} acknowledged writes lost, ${of('doubleCharges')} double charges`,
    sayInJapanese: (of) =>
      `実際のプロセスを、SQLiteで${of('killsOnSqlite')}回、PostgreSQLで${of('killsOnPostgres')}回強制終了した：応答済みの書き込み${of('acknowledgedWrites')}件のうち失われたもの${of('lost')}件、二重請求${of('doubleCharges')}件`,
  },
  'prove dropped-answers': {
    say: (of) =>
      `${of('dropped')} answers to "pay" dropped on their way to the browser: ${of('receipts')} receipts, "failed" said ${of('everSaidFailed')} times, at most ${of('mostChargesOfOneCheckout')} charge of a checkout`,
    sayInJapanese: (of) =>
      `決済の応答を、ブラウザに届く前に${of('dropped')}回破棄した：明細の表示${of('receipts')}件、「失敗」の表示${of('everSaidFailed')}回、チェックアウト1件の請求は最大${of('mostChargesOfOneCheckout')}回`,
  },
  'prove backup': {
    say: (of) =>
      `${of('backupsOfSqlite')} backups of SQLite and ${of('backupsOfPostgres')} of PostgreSQL taken under load, each restored elsewhere: ${of('lost')} of ${of('acknowledgedBeforeTheBackup')} acknowledged writes lost, ${of('doubleCharges')} double charges after ${of('chargesAfterTheBackup')} that the backups did not hold`,
    sayInJapanese: (of) =>
      `負荷をかけながら、SQLiteで${of('backupsOfSqlite')}回、PostgreSQLで${of('backupsOfPostgres')}回バックアップを取り、別の場所に復元した：応答済みの書き込み${of('acknowledgedBeforeTheBackup')}件のうち失われたもの${of('lost')}件、バックアップにない請求${of('chargesAfterTheBackup')}件の後の二重請求${of('doubleCharges')}件`,
  },
  'prove webhooks': {
    say: (of) =>
      `${of('SQLite: events')} events to endpoints that fail, with ${of('SQLite: crashes')} crashes: ${of('lost')} lost; ${of('altered')} altered webhooks: ${of('alteredAccepted')} accepted`,
    sayInJapanese: (of) =>
      `${of('SQLite: events')}件のイベントを障害のある送信先に送り、${of('SQLite: crashes')}回クラッシュさせた：失われたもの${of('lost')}件。改変したWebhookを${of('altered')}件送った：受け入れたもの${of('alteredAccepted')}件`,
  },
  'prove canaries': {
    say: (of) =>
      `${of('flows')} flows with marked cards, ${of('bytesScanned')} bytes that the server wrote: ${of('hits')} card numbers or security codes among them`,
    sayInJapanese: (of) =>
      `目印を付けたカードで支払いの流れを${of('flows')}回たどり、サーバーが書き出した${of('bytesScanned')}バイトを調べた：見つかったカード番号とセキュリティコードは${of('hits')}件`,
  },
  'prove card-testing': {
    say: (of) =>
      `${of('distributed: cards tried')} stolen cards from many addresses: ${of('distributed: charges before the forced challenge')} charges asked for before the forced challenge, ${of('distributed: charges without a challenge while a challenge is forced')} without a challenge after it; ${of('honest shoppers: refused')} of ${of('honest shoppers: shoppers')} honest shoppers refused`,
    sayInJapanese: (of) =>
      `盗まれたカード${of('distributed: cards tried')}枚を多数のアドレスから試した：チャレンジ認証を強制する前の請求${of('distributed: charges before the forced challenge')}件、強制した後の認証なしの請求${of('distributed: charges without a challenge while a challenge is forced')}件。正当な購入者${of('honest shoppers: shoppers')}人のうち拒否された人${of('honest shoppers: refused')}人`,
  },
  'prove bad-day': {
    say: (of) =>
      `${of('attacks')} attacks from outside, each of which had stopped a shop, misled it or lost something: ${of('broken')} of ${of('limits')} limits broken; the dearest of ${of('request-cost: generated requests')} requests takes ${of('request-cost: dearest generated request, ms of CPU')} ms of CPU`,
    sayInJapanese: (of) =>
      `ショップを止める、欺く、データを失わせるなど、以前は成功していた外部からの攻撃${of('attacks')}種類：${of('limits')}個の制限のうち破られたもの${of('broken')}個。${of('request-cost: generated requests')}件のリクエストのうち最も重いものでCPU時間${of('request-cost: dearest generated request, ms of CPU')} ms`,
  },
  'prove hostile-page': {
    say: (of) =>
      `${of('waysOut')} ways to carry a number out of the page by a hostile script: ${of('waysOpen')} open in Chromium, ${of('waysOpenWithoutAllowlist')} in browsers that know no list of allowed addresses`,
    sayInJapanese: (of) =>
      `悪意のあるスクリプトがカード番号をページの外に持ち出す方法${of('waysOut')}通り：Chromiumで可能なもの${of('waysOpen')}通り、許可リストに対応しないブラウザで${of('waysOpenWithoutAllowlist')}通り`,
  },
  'prove fuzz': {
    say: (of) =>
      `${of('requests')} mutated requests: ${of('answers5xx')} answers 5xx (beside those of the page \`/500\`), ${of('hangs')} hangs, ${of('crashes')} crashes`,
    sayInJapanese: (of) =>
      `改変したリクエスト${of('requests')}件：5xxの応答${of('answers5xx')}件（\`/500\`のページを除く）、ハング${of('hangs')}回、クラッシュ${of('crashes')}回`,
  },
  'prove axe': {
    say: (of) =>
      `${of('checks')} checks of accessibility, ${of('screens')} screens in ${of('languages')} languages: ${of('violations')} violations`,
    sayInJapanese: (of) =>
      `アクセシビリティの検査${of('checks')}件、${of('languages')}言語の${of('screens')}画面：違反${of('violations')}件`,
  },
  'prove browsers': {
    say: (of) => `a payment with a challenge in real ${of('realBrowsers')}: ${of('paidInRealBrowsers')} paid`,
    sayInJapanese: (of) =>
      `実際のブラウザ（${of('realBrowsers')}）で、チャレンジ認証のある支払い：完了${of('paidInRealBrowsers')}件`,
  },
  'prove release': {
    say: (of) =>
      `a release of ${of('bytes')} bytes with ${of('packages')} packages, built ${of('identicalBuilds')} times: the same bytes; ${of('msToFirstPayment')} ms from unpacking to a payment`,
    sayInJapanese: (of) =>
      `${of('packages')}個のパッケージを含む${of('bytes')}バイトのリリースを${of('identicalBuilds')}回ビルドした：バイト単位で同一。展開から支払い完了まで${of('msToFirstPayment')} ms`,
  },
  'bench server': {
    say: (of) =>
      `payments a second on 2 cores, acquirer and 3-D Secure answering at once: ${of('PostgreSQL payment: perSecond')} on PostgreSQL, ${of('SQLite payment: perSecond')} on SQLite`,
    sayInJapanese: (of) =>
      `アクワイアラーと3-Dセキュアが即座に応答するとき、2コアで1秒間に処理できる支払い：PostgreSQLで${of('PostgreSQL payment: perSecond')}件、SQLiteで${of('SQLite payment: perSecond')}件`,
  },
}

/** The figures of all proofs and of all benches, as docs/proof.json and docs/bench.json hold them. */
export type Results = Readonly<Record<'prove' | 'bench', unknown>>

export const readResults = (root: string): Results => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, 'docs', file), 'utf8'))
  return { prove: read('proof.json'), bench: read('bench.json') }
}

interface Readme {
  readonly file: string
  readonly head: readonly [found: string, command: string]
  readonly say: 'say' | 'sayInJapanese'
}

/** The same table in each language of the README. */
export const READMES: readonly Readme[] = [
  { file: 'README.md', head: ['Tried, and found', 'Run it again'], say: 'say' },
  { file: 'docs/ja/README.md', head: ['試したことと結果', '再実行するコマンド'], say: 'sayInJapanese' },
]

/** The table as the formatter would align it. */
const tableOf = ({ head, say }: Readme, results: Results): string => {
  // One that was never run has no line; it has one from its first run on.
  const rows = Object.entries(SENTENCES).flatMap(([command, sentence]) => {
    const [kind, name = ''] = command.split(' ')
    const measured = kind === 'bench' ? results.bench : results.prove
    if (!isRecord(measured) || !(name in measured)) return []
    return [[sentence[say](figuresOf(measured, name)), `\`npm run ${kind} -- ${name}\``]]
  })
  return markdownTable(head, rows)
}

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
