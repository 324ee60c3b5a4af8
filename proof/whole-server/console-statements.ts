/** Statements of the console: signing in, people, keys and lists, each once, as their pages make the calls. */
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { openRecovery, openSetup } from '../../server/operations/people/operator-people.ts'
import { openConsoleBrowser } from '../harness/console-browser.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import type { TestServer } from '../harness/test-server.ts'

const tea = { merchant: 'tea' }
const EMAIL = 'owner@example.com'

/** All but those of the operator, who reads all shops. */
export const runConsole = async ({ app, deps }: TestServer): Promise<void> => {
  const token = await openSetup(deps, TEA_MERCHANT.id)
  const owner = openConsoleBrowser(app)
  await owner.done('readLink', { body: { token } })
  await owner.done('consumeLink', { body: { token, email: EMAIL, name: 'Aoyama' } })
  const { id: first } = await owner.enrol()
  const { id: second } = await owner.enrol()
  await owner.done('removePasskey', { params: { passkeyId: second } })
  await owner.confirm(first)
  await owner.done('askForLink', { body: { email: EMAIL, locale: 'ja' } })
  await owner.done('changePerson', { body: { name: 'Midori' } })
  const body = { email: 'new@example.com', role: 'viewer', locale: 'ja' }
  const withdrawn = await owner.done<{ id: string }>('invitePerson', { ...tea, body })
  await owner.done('withdrawInvitation', { ...tea, params: { invitationId: withdrawn.id } })
  const { link = '' } = await owner.done<{ link?: string }>('invitePerson', { ...tea, body })
  const joining = openConsoleBrowser(app)
  await joining.done('consumeLink', { body: { token: link.split('/').at(-1), name: 'New' } })
  await joining.enrol()
  const recovery = await openRecovery(deps, body.email)
  await joining.done('consumeLink', { body: { token: recovery } })
  const { id: passkeyId } = await joining.enrol()
  const { person } = await joining.done<{ person: { id: string } }>('readSession')
  await owner.signIn(first)
  await owner.done('approvePasskey', { ...tea, params: { personId: person.id, passkeyId } })
  await owner.done('changeRole', { ...tea, params: { personId: person.id }, body: { role: 'owner' } })
  for (const name of ['listPeople', 'listKeys', 'listAudit'] as const) await owner.done(name, tea)
  for (const name of ['readSession', 'listSessions', 'listPasskeys'] as const) await owner.done(name)
  const { id: keyId } = await owner.done<{ id: string }>('createKey', {
    ...tea,
    body: { mode: 'test', access: 'read' },
  })
  await owner.done('rollKey', { ...tea, params: { keyId }, body: {} })
  await owner.done('revokeKey', { ...tea, params: { keyId } })
  await app.inject({ url: `${CONSOLE_BASE}/nothing`, headers: { host: 'console.localhost:3000' } })
  await owner.done('removePerson', { ...tea, params: { personId: person.id } })
  await owner.done('endSession')
}
