/** Mail checks: whether mail can be sent, and whether its receivers have a reason to believe that it is ours. */
import { createPublicKey } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'
import { verifyMailServer } from '../../background/mail/mailer.ts'
import type { Config } from '../../config/config.ts'
import type { MailConfig } from '../../config/mail.ts'
import { fail, ok, START_SANDBOX, warn, type DoctorCheck, type Finding } from './finding.ts'

export interface MailOutside {
  /** Why the mail server cannot be used; null where it can. */
  verify(mail: MailConfig): Promise<string | null>
  /** The text records of a name; none where there are none. Rejects where nobody answers. */
  textRecords(name: string): Promise<readonly string[]>
}

const NO_RECORDS: readonly unknown[] = ['ENODATA', 'ENOTFOUND']
const TIMEOUT_MS = 5000

export const systemMailOutside: MailOutside = {
  verify: (mail) => verifyMailServer(mail, TIMEOUT_MS),
  textRecords: async (name) => {
    try {
      return (await resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      if (error instanceof Error && 'code' in error && NO_RECORDS.includes(error.code)) return []
      throw error
    }
  },
}

const judgeMailServer = ({ host, port, isSandbox }: MailConfig, why: string | null): Finding => {
  const place = `${isSandbox ? "the sandbox's mailbox" : 'the mail server'} at ${host}:${port}`
  if (why === null) return ok(`${place} answers`)
  return fail(
    `${place} cannot be used (${why})`,
    isSandbox ? START_SANDBOX : 'see SMTP_URL: host, port, user and password.',
  )
}

/** SPF: which servers may send for the domain. */
export const judgeSpf = (domain: string, records: readonly string[]): Finding => {
  const found = records.filter((record) => /^v=spf1(\s|$)/i.test(record))
  const [record] = found
  if (record === undefined)
    return warn(
      `${domain} has no SPF record`,
      `add a TXT record to ${domain} that names your mail server: v=spf1 … -all.`,
    )
  if (found.length > 1)
    return fail(`${domain} has ${found.length} SPF records, which counts as none`, 'join them into one.')
  return /\s\+?all(\s|$)/i.test(record)
    ? fail(`the SPF record of ${domain} lets everybody send for it`, 'end it with -all or ~all.')
    : ok(`${domain} has an SPF record`)
}

/** The value of `p` in a record of tags such as `v=DKIM1; p=…`. */
const valueOfP = (record: string): string | undefined =>
  record
    .split(';')
    .map((tag) => tag.split('='))
    .find(([name = '', ...value]) => name.trim().toLowerCase() === 'p' && value.length > 0)
    ?.slice(1)
    .join('=')

const publishedKeyIn = (record: string): string | undefined => valueOfP(record)?.replaceAll(/\s/g, '')

/** DKIM: the key whose signature receivers look up. */
export const judgeDkim = (dkim: MailConfig['dkim'], name: string, records: readonly string[]): Finding => {
  if (dkim === null)
    return warn('mails are not signed here', 'set DKIM_KEY and DKIM_SELECTOR, unless your mail server signs them.')
  const key = createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  const published = records.flatMap((record) => publishedKeyIn(record) ?? [])
  if (published.length === 0) return fail(`${name} has no key`, `add this TXT record to it: v=DKIM1; k=rsa; p=${key}`)
  return published.includes(key)
    ? ok(`${name} has the key that signs`)
    : fail(`${name} has another key than the one that signs`, `replace it by v=DKIM1; k=rsa; p=${key}`)
}

/** DMARC: what receivers do with mail that claims to be of the domain and is not. */
export const judgeDmarc = (domain: string, records: readonly string[]): Finding => {
  const record = records.find((each) => /^v=DMARC1(\s|;|$)/i.test(each))
  const policy = record === undefined ? undefined : /^\s*(\w+)/.exec(valueOfP(record) ?? '')?.[1]?.toLowerCase()
  const mend = `set the TXT record of _dmarc.${domain} to v=DMARC1; p=quarantine or p=reject.`
  if (policy === undefined) return warn(`${domain} has no DMARC record`, mend)
  return policy === 'none'
    ? warn(`the DMARC record of ${domain} only watches (p=none)`, mend)
    : ok(`${domain} has a DMARC record (p=${policy})`)
}

/** A domain below another one has that one's policy, where it has none of its own. */
const dmarcRecords = async (domain: string, outside: Pick<MailOutside, 'textRecords'>): Promise<readonly string[]> => {
  const own = await outside.textRecords(`_dmarc.${domain}`)
  const [, ...above] = domain.split('.')
  return own.length > 0 || above.length < 2 ? own : dmarcRecords(above.join('.'), outside)
}

/** In the sandbox no mail leaves this machine, so nobody asks who it is from. */
export const mailChecks = ({ mail }: Pick<Config, 'mail'>, outside: MailOutside): DoctorCheck[] => {
  if (mail === null) {
    const finding = warn('none is configured: no mail is sent', 'set SMTP_URL and MAIL_FROM.')
    return [{ name: 'mail server', look: async () => finding }]
  }
  const server = { name: 'mail server', look: async () => judgeMailServer(mail, await outside.verify(mail)) }
  if (mail.isSandbox) return [server]
  const domain = mail.from.slice(mail.from.lastIndexOf('@') + 1)
  const { dkim } = mail
  const dkimName = `${dkim?.selector ?? ''}._domainkey.${domain}`
  return [
    server,
    { name: 'SPF', look: async () => judgeSpf(domain, await outside.textRecords(domain)) },
    {
      name: 'DKIM',
      look: async () => judgeDkim(dkim, dkimName, dkim === null ? [] : await outside.textRecords(dkimName)),
    },
    { name: 'DMARC', look: async () => judgeDmarc(domain, await dmarcRecords(domain, outside)) },
  ]
}
