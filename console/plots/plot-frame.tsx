/** Plot frame: a plot with the same figures as a table and as a CSV file. */
import type { ReactNode } from 'react'
import { Button } from '../forms/button.tsx'
import { downloadCsv } from '../forms/download.ts'
import { useWords, type WordsOf } from '../words/language.tsx'
import { csvOf } from './csv.ts'
import styles from './plot-frame.module.css'

const words: WordsOf<{ readonly table: string; readonly csv: string }> = {
  ja: { table: '表で見る', csv: 'CSVをダウンロード' },
  'en-US': { table: 'Show as a table', csv: 'Download CSV' },
}

export interface PlotTable {
  readonly columns: readonly string[]
  /** The first cell names its row. */
  readonly rows: readonly (readonly (string | number)[])[]
}

interface PlotFrameProps {
  /** What the plot says, in one sentence: screen readers get it in its place. */
  readonly summary: string
  readonly table: PlotTable
  /** How a number of the table reads; the CSV has the plain one. */
  format(value: number, column: number): string
  /** The name of the file, without its ending. */
  readonly file: string
  /** The plot itself, an SVG. */
  readonly children: ReactNode
}

export const PlotFrame = ({ summary, table: { columns, rows }, format, file, children }: PlotFrameProps) => {
  const { table, csv } = useWords(words)
  const download = (): void => downloadCsv(file, csvOf([columns, ...rows]))
  return (
    <figure className={styles['frame']}>
      <div className={styles['plot']} role="img" aria-label={summary}>
        {children}
      </div>
      <div className={styles['foot']}>
        <details>
          <summary className={styles['summary']}>{table}</summary>
          {/* Without a place for the focus a wide table could not be scrolled by keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className={styles['scroll']} tabIndex={0} role="region" aria-label={summary}>
            <table className={styles['table']}>
              <thead>
                <tr>
                  {columns.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row[0]}>
                    {row.map((cell, at) => {
                      const text = typeof cell === 'number' ? format(cell, at) : cell
                      const key = columns[at] ?? at
                      return at === 0 ? (
                        <th key={key} scope="row">
                          {text}
                        </th>
                      ) : (
                        <td key={key}>{text}</td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
        <Button kind="secondary" type="button" onClick={download}>
          {csv}
        </Button>
      </div>
    </figure>
  )
}
