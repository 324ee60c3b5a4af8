/** Reconciliations card: the last comparisons of our ledger with the acquirer's statement. */
import { listReconciliations, type ReconciliationAnswer } from '#contract/merchant/reconciliations.ts'
import { DataTable } from '../../forms/data-table.tsx'
import { useRead } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { moneyWords } from './words.ts'
import styles from './money.module.css'

const SHOWN = '20'

export const Result = ({ breaks, isComplete }: Pick<ReconciliationAnswer, 'breaks' | 'isComplete'>) => {
  const words = useWords(moneyWords)
  if (breaks > 0) return <span className={styles['bad']}>{words.breaks(breaks)}</span>
  return isComplete ? (
    <span className={styles['good']}>{words.agrees}</span>
  ) : (
    <span className={styles['bad']}>{words.incomplete}</span>
  )
}

const resultCell = ({ breaks, isComplete }: ReconciliationAnswer) => <Result breaks={breaks} isComplete={isComplete} />

export const ReconciliationsCard = () => {
  const [words, { time, day }] = [useWords(moneyWords), useFormats()]
  const reading = useRead(listReconciliations, { query: { limit: SHOWN } })
  return (
    <Card title={words.reconciliations} isFlush>
      <Explanation>{words.reconciliationsLead}</Explanation>
      <Reading of={reading}>
        {({ items }) =>
          items.length === 0 ? (
            <Explanation>{words.noReconciliations}</Explanation>
          ) : (
            <DataTable
              label={words.reconciliations}
              columns={[
                { id: 'at', name: words.at, cell: ({ at }) => time(at) },
                { id: 'compared', name: words.compared, cell: ({ from, to }) => `${day(from)} – ${day(to)}` },
                {
                  id: 'result',
                  name: words.result,
                  align: 'end',
                  cell: resultCell,
                },
              ]}
              items={items}
              idOf={({ id }) => id}
              hrefOf={({ id }) => `/money/reconciliations/${id}`}
            />
          )
        }
      </Reading>
    </Card>
  )
}
