/** Audit list, as the screens of a shop and of the operator show it: its columns, and page behind page. */
import type { ReactNode } from 'react'
import { isRole } from '#contract/console/roles.ts'
import type { AuditLineAnswer } from '#contract/console/audit.ts'
import { DataTable, type DataColumn } from '../../forms/data-table.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import type { usePersonReadPages } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { peopleWords } from './words.ts'
import styles from './people.module.css'

interface AuditListOptions {
  readonly lead: string
  readonly lines: ReturnType<typeof usePersonReadPages<AuditLineAnswer>>
  /** What tells two people of one name apart; '' while it is not known yet. */
  readonly addressOf: (personId: string) => string
  readonly subjectOf: (line: AuditLineAnswer) => ReactNode
  /** Whether a line may be of one mode. */
  readonly hasModes: boolean
}

export const AuditList = ({ lead, lines, addressOf, subjectOf, hasModes }: AuditListOptions) => {
  const [words, { modes, roles }] = [useWords(peopleWords), useWords(sharedWords)]
  const { time } = useFormats()
  const mode: DataColumn<AuditLineAnswer> = {
    id: 'mode',
    name: words.mode,
    isShort: true,
    cell: (line) => (line.mode === undefined ? words.noMode : modes[line.mode]),
  }
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
      cell: (line) => (
        <span className={styles['subject']}>
          {subjectOf(line)}
          {line.details === '' ? null : (
            <span className={styles['details']}>{isRole(line.details) ? roles[line.details] : line.details}</span>
          )}
        </span>
      ),
    },
    ...(hasModes ? [mode] : []),
    { id: 'when', name: words.when, isShort: true, cell: ({ at }) => time(at) },
  ]
  return (
    <>
      <Explanation>{lead}</Explanation>
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
    </>
  )
}
