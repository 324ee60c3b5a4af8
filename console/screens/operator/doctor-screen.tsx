/** Doctor screen: runs the checks of the server and shows what to mend. */
import { useState } from 'react'
import type { Static } from 'typebox'
import { Button } from '../../forms/button.tsx'
import { runDoctor, type FindingAnswer } from '#contract/console/operator.ts'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { useAction, usePersonSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Loading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { OperatorFrame } from './operator-frame.tsx'
import { operatorWords } from './words.ts'
import styles from './operator.module.css'

const KINDS = { ok: 'good', warn: 'warning', fail: 'bad' } as const
/** What needs somebody first. */
const ORDER = ['fail', 'warn', 'ok'] as const

type Findings = Static<typeof runDoctor.answer>

const Finding = ({ of }: { readonly of: FindingAnswer }) => {
  const words = useWords(operatorWords)
  return (
    <Item
      title={<span lang="en">{of.check}</span>}
      badge={<Badge kind={KINDS[of.state]}>{words.results[of.state]}</Badge>}
      details={[]}
    >
      <div lang="en" className={styles['finding']}>
        <p>{of.says}</p>
        {of.mend === undefined ? null : <p className={styles['mend']}>{words.mend(of.mend)}</p>}
      </div>
    </Item>
  )
}

export const DoctorScreen = () => {
  const words = useWords(operatorWords)
  const { time } = useFormats()
  const send = usePersonSend()
  const [findings, setFindings] = useState<Findings | null>(null)
  const running = useAction(() => send(runDoctor), setFindings)
  const sorted = findings?.checks.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)) ?? []
  return (
    <OperatorFrame
      actions={
        <Button
          kind="primary"
          type="button"
          onClick={running.run}
          busy={running.isRunning}
          disabled={running.isRunning}
        >
          {words.run}
        </Button>
      }
    >
      <Explanation>{words.doctorLead}</Explanation>
      <FailureNotice failure={running.failure} />
      <Card>
        {running.isRunning ? <Loading /> : null}
        {findings === null && !running.isRunning ? (
          <Empty icon="operator" title={words.notRun}>
            {words.notRunText}
          </Empty>
        ) : null}
        {findings === null ? null : (
          <>
            <Explanation>{words.ranAt(time(findings.at))}</Explanation>
            <ItemList>
              {sorted.map((finding) => (
                <Finding key={finding.check} of={finding} />
              ))}
            </ItemList>
          </>
        )}
      </Card>
    </OperatorFrame>
  )
}
