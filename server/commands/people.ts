/** Person commands: invite, list, recover and remove people of the console. A link is shown once, when it is made. */
import { ROLES, isRole, type Role } from '#contract/console/roles.ts'
import { LINK_PATHS, type LinkKind } from '#contract/console/sign-in.ts'
import type { ConsoleLocale } from '#contract/console/locale.ts'
import { errorBody, isRefusal } from '#contract/errors.ts'
import { comparableAddress } from '#payment/erasure.ts'
import { COMMAND_LINE } from '../operations/people/change-people.ts'
import { openRecovery, removeEverywhere } from '../operations/people/operator-people.ts'
import { invitePerson } from '../operations/people/people-of-shop.ts'
import { consoleOrigin, hasConsole, noConsole } from '../origins.ts'
import { membershipsOf } from '../store/people/memberships.ts'
import { passkeysOf } from '../store/people/passkeys.ts'
import { listPeople, type Person } from '../store/people/people.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem, type Given } from './command.ts'
import {
  namedMerchant,
  withConfirmedClock,
  withOperatorDependencies,
  type OperatorDependencies,
} from './operator-database.ts'
import { factLines, instantText, tableLines, timeText } from './table.ts'

const EMAIL = { value: '<address>', help: 'the mail address of the person', isRequired: true } as const
const OPERATOR = 'operator'
const SHOWN_ONCE = 'The link is shown this once, and works once.'

/** Why no link to the console is made; null: there is a console. */
const linkProblem = ({ config: { publicBase } }: OperatorDependencies): CommandProblem | null =>
  hasConsole(publicBase) ? null : { problem: noConsole(publicBase) }

const linkOf = ({ config }: OperatorDependencies, kind: LinkKind, token: string): string =>
  `${consoleOrigin(config.publicBase)}${LINK_PATHS[kind]}${token}`

interface InvitedTo {
  readonly shop: { readonly merchantId: string; readonly role: Role } | null
  readonly locale: ConsoleLocale
}

/** The shop and the role that were given, and the language of the shop's mails. */
const invitedTo = async ({ database }: OperatorDependencies, given: Given): Promise<InvitedTo | CommandProblem> => {
  const [role, label] = [given.text('role'), given.textOrNull('merchant')]
  if (role === OPERATOR)
    return label === null
      ? { shop: null, locale: 'en-US' }
      : { problem: '--role operator is of the whole installation: leave out --merchant, or give another role.' }
  if (!isRole(role)) return { problem: `--role is "${role}": give ${[...ROLES, OPERATOR].join(', ')}.` }
  if (label === null) return { problem: `--role ${role} is of one shop: give --merchant too.` }
  const merchant = await namedMerchant(database, label)
  if (isProblem(merchant)) return merchant
  const isJapanese = merchant.settings.locale === null || merchant.settings.locale === 'ja_JP'
  return { shop: { merchantId: merchant.id, role }, locale: isJapanese ? 'ja' : 'en-US' }
}

export const personInvite: Command = {
  summary: 'invites a person to the console and prints the link, once',
  options: {
    email: EMAIL,
    role: { value: [...ROLES, OPERATOR].join('|'), help: 'operator: of the whole installation', isRequired: true },
    merchant: { value: '<label>', help: 'the shop of the role' },
  },
  example: 'person invite --email owner@example.com --role owner --merchant tea',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const to = linkProblem(deps) ?? (await invitedTo(deps, given))
      if (isProblem(to)) return to
      const sendsMail = deps.config.mail !== null
      const email = given.text('email')
      const invited = await invitePerson(deps, { email, ...to, by: COMMAND_LINE, invitedBy: null, sendsMail })
      if (isRefusal(invited)) return { problem: errorBody(invited).message }
      const { link, token } = invited
      const facts = { link: linkOf(deps, 'invitation', token), email: link.email, role: given.text('role') }
      return {
        value: { ...facts, expiresAt: instantText(link.expiresAt), isMailed: sendsMail },
        lines: [
          ...factLines({ ...facts, expiresAt: timeText(instantText(link.expiresAt)) }),
          SHOWN_ONCE,
          sendsMail ? 'It is mailed to the person too.' : 'No mail is sent: pass the link on yourself.',
        ],
      }
    }),
}

export const personList: Command = {
  summary: 'lists the people of the console, their shops and roles',
  example: 'person list',
  run: (_given, env) =>
    withOperatorDependencies(env, async ({ database }) => {
      const items = []
      for (const person of await listPeople(database)) {
        const shops = (await membershipsOf(database, person.id)).map(({ label, role }) => ({ label, role }))
        const { email, name, isOperator } = person
        items.push({ email, name, isOperator, shops, passkeys: (await passkeysOf(database, person.id)).length })
      }
      const rows = items.map(({ email, name, isOperator, shops, passkeys }) => [
        email,
        name,
        [...(isOperator ? [OPERATOR] : []), ...shops.map(({ label, role }) => `${label}: ${role}`)].join(', '),
        String(passkeys),
      ])
      const table =
        rows.length === 0
          ? [`Nobody yet: ${PROGRAM} ${personInvite.example}`]
          : tableLines(['address', 'name', 'may', 'passkeys'], rows, { wrap: ['may'] })
      return { value: { items }, lines: table }
    }),
}

const unknownPerson = (email: string): CommandProblem => ({
  problem: `Nobody has the address ${email}: ${PROGRAM} person list shows all.`,
})

const addressOf = (given: Given): Person['email'] => comparableAddress(given.text('email'))

export const personRecover: Command = {
  summary: 'prints a link that signs a person in once, within an hour, where no mail arrives',
  options: { email: EMAIL },
  example: 'person recover --email owner@example.com',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const problem = linkProblem(deps)
      if (problem !== null) return problem
      const email = addressOf(given)
      const token = await openRecovery(deps, email)
      if (typeof token !== 'string') return unknownPerson(email)
      const link = linkOf(deps, 'sign_in', token)
      return { value: { link, email }, lines: [...factLines({ link, email }), SHOWN_ONCE] }
    }),
}

export const personRemove: Command = {
  summary: 'removes a person from all shops and from the installation, at once',
  options: { email: EMAIL },
  example: 'person remove --email owner@example.com',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const email = addressOf(given)
      const kept = await removeEverywhere(deps, email)
      if (kept === null) return { value: { email }, lines: [`${email} has no access to the console any more.`] }
      if (isRefusal(kept)) return unknownPerson(email)
      return {
        problem: `${email} is the last owner of ${kept.lastOwnerOf}: nothing was changed. Invite another one first: ${PROGRAM} person invite --role owner --merchant ${kept.lastOwnerOf} --email …`,
      }
    }),
}
