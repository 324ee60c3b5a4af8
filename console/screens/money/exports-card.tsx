/** Exports card: the movements and the figures of a period as files. */
import { exportFigures } from '#contract/merchant/figures.ts'
import { exportMovements } from '#contract/merchant/reports.ts'
import { Button } from '../../forms/button.tsx'
import type { DateRange } from '../../forms/date-range.ts'
import { downloadCsv } from '../../forms/download.ts'
import { FailureNotice } from '../../forms/notice.tsx'
import type { CallResult } from '../../session/api.ts'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { moneyWords } from './words.ts'
import styles from './money.module.css'

interface ExportButtonProps {
  readonly name: string
  readonly file: string
  read(): Promise<CallResult<string>>
}

const ExportButton = ({ name, file, read }: ExportButtonProps) => {
  const { run, isRunning, failure } = useAction(read, (csv) => downloadCsv(file, csv))
  return (
    <>
      <Button kind="secondary" type="button" busy={isRunning} onClick={() => run()}>
        {name}
      </Button>
      <FailureNotice failure={failure} />
    </>
  )
}

export const ExportsCard = ({ range: { from, to } }: { readonly range: DateRange }) => {
  const [words, send, { locale }] = [useWords(moneyWords), useSend(), useLanguage()]
  const query = { from, to, ...(locale === 'ja' ? ({ locale: 'ja_JP' } as const) : {}) }
  return (
    <Card title={words.exports}>
      <Explanation>{words.exportsLead}</Explanation>
      <div className={styles['exports']}>
        <ExportButton
          name={words.movements}
          file={`${words.movementsFile}-${from}-${to}`}
          read={() => send(exportMovements, { query })}
        />
        <ExportButton
          name={words.movementsWithTaxes}
          file={`${words.movementsFile}-${from}-${to}`}
          read={() => send(exportMovements, { query: { ...query, taxes: 'true' } })}
        />
        <ExportButton
          name={words.figures}
          file={`${words.figuresFile}-${from}-${to}`}
          read={() => send(exportFigures, { query })}
        />
      </div>
    </Card>
  )
}
