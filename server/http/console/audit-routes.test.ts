import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AuditLineAnswer } from '#contract/console/audit.ts'
import { statusAndCode } from '../../../proof/harness/error-answers.ts'
import { openTestOperator, type TestOperator } from '../../../proof/harness/test-operator.ts'
import { consoleHeaders, openSession, savePersonWithPasskey } from '../../../proof/harness/test-people.ts'
import { COMMAND_LINE, noteAtShop } from '../../operations/people/change-people.ts'

describe('the audit list of what belongs to no shop', () => {
  let operator: TestOperator
  before(async () => {
    operator = await openTestOperator()
  })

  const listed = async (query = ''): Promise<{ items: AuditLineAnswer[]; after: string | null }> => {
    const answer = await operator.call('GET', `/audit${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const inWords = ({ items }: { readonly items: AuditLineAnswer[] }): string[] =>
    items.map(({ person, action, subject, details }) => [person, action, subject, details].join('|'))

  test('tells an operator who was made one and what became of operators, page by page, and nothing of shops', async () => {
    const { database, random } = operator.server.deps
    const invited = { by: COMMAND_LINE, action: 'person_invited', subject: 'new@example.com', at: 1 } as const
    await noteAtShop(database, random, null, { ...invited, details: 'operator' })
    await noteAtShop(database, random, null, { ...invited, action: 'person_joined', at: 2 })
    await noteAtShop(database, random, 'tea-id', { ...invited, at: 3 })
    assert.deepEqual(inWords(await listed()), [
      'operator (command line)|person_joined|new@example.com|',
      'operator (command line)|person_invited|new@example.com|operator',
    ])
    const first = await listed('?limit=1')
    const second = await listed(`?limit=1&after=${first.after}`)
    assert.deepEqual(
      [...first.items, ...second.items].map(({ action }) => action),
      ['person_joined', 'person_invited'],
    )
    assert.deepEqual(statusAndCode(await operator.call('GET', '/audit?after=nowhere')), [400, 'invalid_field'])
  })

  test('and of a shop: a session that its person has ended from another one is a line, for operators in their list', async () => {
    const { app, server } = operator
    const { database } = server.deps
    const end = async (name: string, more: object): Promise<void> => {
      const person = await savePersonWithPasskey(database, { name, ...more }, server.clock.now())
      const headers = consoleHeaders(await openSession(database, person, server.clock.now()), { merchant: '' })
      await openSession(database, person, server.clock.now())
      const sessions = await app.inject({ url: '/console/v1/sessions', headers })
      const other = sessions.json<{ items: { id: string; isThis: boolean }[] }>().items.find(({ isThis }) => !isThis)
      const url = `/console/v1/sessions/${other?.id}`
      assert.equal((await app.inject({ method: 'DELETE', url, headers })).statusCode, 200)
    }
    await end('hanako', { member: { merchantId: 'tea-id', role: 'owner' } })
    await end('jiro', { isOperator: true })
    assert.ok((await operator.audited('tea')).includes('session_ended by hanako'))
    const ended = inWords(await listed()).filter((line) => line.includes('session_ended'))
    assert.deepEqual(ended, ['jiro|session_ended|jiro@example.com|Chrome'])
  })
})
