/** Doubts screen: charges and refunds of all shops whose outcome is unknown. */
import { listDoubts, type DoubtAnswer } from '#contract/console/operator.ts'
import { DataTable, type DataColumn } from '../../forms/data-table.tsx'
import { Notice } from '../../forms/notice.tsx'
import { usePersonRead } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { OperatorFrame } from './operator-frame.tsx'
import { operatorWords } from './words.ts'
import styles from './operator.module.css'

/** The server asks by itself: what it has learnt is shown soon after. */
const READ_AGAIN_MS = 15_000

export const DoubtsScreen = () => {
  const words = useWords(operatorWords)
  const { time, yen } = useFormats()
  const doubts = usePersonRead(listDoubts, {}, { again: READ_AGAIN_MS })
  const columns: readonly DataColumn<DoubtAnswer>[] = [
    { id: 'shop', name: words.shop, cell: ({ shop }) => shop },
    { id: 'kind', name: words.kind, isShort: true, cell: ({ kind }) => words.kinds[kind] },
    { id: 'amount', name: words.amount, align: 'end', isShort: true, cell: ({ amount }) => yen(amount) },
    { id: 'since', name: words.since, isShort: true, cell: ({ since }) => time(since) },
    { id: 'asked', name: words.asked, align: 'end', cell: ({ inquiries }) => String(inquiries) },
    { id: 'next', name: words.next, cell: ({ nextInquiryAt }) => time(nextInquiryAt) },
    {
      id: 'checkout',
      name: words.checkout,
      cell: ({ checkoutId }) => <code className={styles['id']}>{checkoutId}</code>,
    },
  ]
  return (
    <OperatorFrame>
      <Explanation>{words.doubtsLead}</Explanation>
      <Reading of={doubts}>
        {({ items, isMore, held }) => (
          <>
            {held === 0 ? null : (
              <Notice kind="warning">
                <p>{words.held(held)}</p>
              </Notice>
            )}
            {isMore ? (
              <Notice kind="info">
                <p>{words.more(items.length)}</p>
              </Notice>
            ) : null}
            <Card isFlush>
              {items.length === 0 ? (
                <Empty icon="check" title={words.noDoubts}>
                  {words.noDoubtsText}
                </Empty>
              ) : (
                <DataTable
                  label={words.doubts}
                  columns={columns}
                  items={items}
                  idOf={({ orderCode, refundId = '' }) => `${orderCode} ${refundId}`}
                />
              )}
            </Card>
          </>
        )}
      </Reading>
    </OperatorFrame>
  )
}
