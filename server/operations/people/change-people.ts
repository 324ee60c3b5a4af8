/** Changes of people, one after another: which of them is the last owner of a shop must not be asked by two at once. */
import type { MerchantMode } from '#contract/access.ts'
import type { AuditAction } from '#contract/console/audit.ts'
import { refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import type { Random } from '#payment/ports.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Sql } from '../../store/engine/database.ts'
import { insertAuditLine } from '../../store/people/audit.ts'
import { findMembership, membershipsOf } from '../../store/people/memberships.ts'
import type { Person } from '../../store/people/people.ts'

export type PeopleDependencies = Pick<Dependencies, 'database' | 'clock' | 'random'>

/** Who makes a change: a person, or whoever has the command line. */
export type Changer = Pick<Person, 'id' | 'name'>
export const COMMAND_LINE: Changer = { id: 'operator', name: 'operator (command line)' }

/** A transaction that no other one of these runs beside. They are short, and there are few of them. */
export const changePeople = <T>({ database }: PeopleDependencies, work: (sql: Sql) => Promise<T>): Promise<T> =>
  database.transact(async (sql) => {
    await sql.lockNames('people')
    return work(sql)
  })

/** A change at a shop by one of its owners. */
export interface ChangeAtShop {
  readonly merchantId: string
  readonly by: Changer
}

/** The same, after asking whether the person still is an owner: another one may have removed them since the call was let in. */
export const changeShop = <T>(
  deps: PeopleDependencies,
  { merchantId, by }: ChangeAtShop,
  work: (sql: Sql) => Promise<T>,
): Promise<T | Refusal> =>
  changePeople(deps, async (sql) => {
    const mayChange = by.id === COMMAND_LINE.id || (await findMembership(sql, merchantId, by.id)) === 'owner'
    return mayChange ? work(sql) : refuse('role_not_allowed', { needed: 'owner' })
  })

interface Noted {
  readonly by: Changer
  readonly action: AuditAction
  readonly subject: string
  readonly details?: string
  /** Left out: of both modes. */
  readonly mode?: MerchantMode
  readonly at: Instant
}

/** A change at one shop; null: of the installation. */
export const noteAtShop = (
  sql: Sql,
  random: Random,
  merchantId: string | null,
  { by, action, subject, details = '', mode, at }: Noted,
): Promise<void> =>
  insertAuditLine(sql, { id: random.id(), merchantId, mode: mode ?? null, at, person: by, action, subject, details })

/** A change of a person alone: the owners of each of the person's shops read it, and operators where it belongs to no shop or is of an operator. */
export const noteAtShopsOf = async (sql: Sql, random: Random, person: Person, noted: Noted): Promise<void> => {
  const shops = await membershipsOf(sql, person.id)
  for (const { merchantId } of shops) await noteAtShop(sql, random, merchantId, noted)
  if (shops.length === 0 || person.isOperator) await noteAtShop(sql, random, null, noted)
}
