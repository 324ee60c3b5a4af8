/** Audit screen: what people have changed at the shop, the newest first. */
import { Link } from 'wouter'
import { isRole } from '#contract/console/roles.ts'
import { listAudit, type AuditAction, type AuditLineAnswer } from '#contract/console/audit.ts'
import { listPeople } from '#contract/console/people.ts'
import { DataTable, type DataColumn } from '../../forms/data-table.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import { useShop } from '../../session/session.tsx'
import { useRead, useReadPages } from '../../session/use-calls.ts'
import { shopAddress } from '../../shell/addresses.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { PeopleFrame } from './people-frame.tsx'
import { peopleWords } from './words.ts'
import styles from './people.module.css'

/** What these are about is a checkout, by its id. */
const OF_CHECKOUTS: readonly AuditAction[] = ['checkout_created', 'checkout_cancelled', 'receipt_sent', 'refund_made']
/** As lists of events show it. */
const SHORT_ID = 8

export const AuditScreen = () => {
  const { label } = useShop()
  const [words, { modes, roles }] = [useWords(peopleWords), useWords(sharedWords)]
  const { time } = useFormats()
  const lines = useReadPages(['audit'], (api, shop, after, signal) =>
    api.send(listAudit, { query: after === undefined ? {} : { after } }, shop, signal),
  )
  const people = useRead(listPeople)
  // A name can be changed, an address cannot. Whoever is no longer at the shop has the id alone.
  const addressOf = (personId: string): string =>
    people.data?.people.find(({ id }) => id === personId)?.email ?? (people.isPending ? '' : personId)
  const columns: readonly DataColumn<AuditLineAnswer>[] = [
    { id: 'what', name: words.what, cell: ({ action }) => words.actions[action] },
    {
      id: 'who',
      name: words.who,
      cell: ({ person, personId }) => (
        <span className={styles['subject']}>
          {person}
          <span className={styles['details']}>{addressOf(personId)}</span>
        </span>
      ),
    },
    {
      id: 'subject',
      name: words.subject,
      cell: ({ action, mode, subject, details }) => (
        <span className={styles['subject']}>
          {mode !== undefined && OF_CHECKOUTS.includes(action) ? (
            <Link href={`~${shopAddress(label, mode)}/checkouts/${subject}`}>{subject.slice(0, SHORT_ID)}</Link>
          ) : (
            subject
          )}
          {details === '' ? null : (
            <span className={styles['details']}>{isRole(details) ? roles[details] : details}</span>
          )}
        </span>
      ),
    },
    {
      id: 'mode',
      name: words.mode,
      isShort: true,
      cell: ({ mode }) => (mode === undefined ? words.noMode : modes[mode]),
    },
    { id: 'when', name: words.when, isShort: true, cell: ({ at }) => time(at) },
  ]
  return (
    <PeopleFrame>
      <Explanation>{words.auditLead}</Explanation>
      <Card isFlush>
        <Reading of={lines}>
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items)
            return items.length === 0 ? (
              <Empty icon="checkouts" title={words.noAudit}>
                {words.noAuditText}
              </Empty>
            ) : (
              <DataTable label={words.audit} columns={columns} items={items} idOf={({ id }) => id} />
            )
          }}
        </Reading>
        <MoreButton of={lines} />
      </Card>
    </PeopleFrame>
  )
}
