/** Data table: rows with the arrow keys on a wide window, cards of names and values on a phone. */
import type { ReactNode } from 'react'
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components'
import styles from './data-table.module.css'

export interface DataColumn<T> {
  readonly id: string
  readonly name: string
  /** Amounts stand at the end of their column. */
  readonly align?: 'start' | 'end'
  /** A date or a name of few words: where there is room, its lines are not broken. */
  readonly isShort?: boolean
  /** The cell that names its row; the first column unless one says so. */
  readonly isHead?: boolean
  cell(item: T): ReactNode
}

interface DataTableProps<T> {
  /** What the table lists, for screen readers. */
  readonly label: string
  readonly columns: readonly DataColumn<T>[]
  readonly items: readonly T[]
  idOf(item: T): string
  /** Where a row leads; left out: nowhere. */
  hrefOf?(item: T): string
}

export const DataTable = <T,>({ label, columns, items, idOf, hrefOf }: DataTableProps<T>) => {
  const headId = columns.find(({ isHead = false }) => isHead)?.id ?? columns[0]?.id
  const shapeOf = ({ align, isShort = false }: DataColumn<T>): string =>
    `${align === 'end' ? styles['end'] : ''} ${isShort ? styles['short'] : ''}`
  return (
    <Table aria-label={label} className={styles['table'] ?? ''}>
      <TableHeader>
        {columns.map((column) => (
          <Column
            key={column.id}
            id={column.id}
            isRowHeader={column.id === headId}
            className={`${styles['column']} ${shapeOf(column)}`}
          >
            {column.name}
          </Column>
        ))}
      </TableHeader>
      <TableBody>
        {items.map((item) => (
          <Row
            key={idOf(item)}
            id={idOf(item)}
            className={styles['row'] ?? ''}
            {...(hrefOf === undefined ? {} : { href: hrefOf(item) })}
          >
            {columns.map((column) => (
              <Cell
                key={column.id}
                data-label={column.name}
                className={`${styles['cell']} ${column.id === headId ? styles['head'] : ''} ${shapeOf(column)}`}
              >
                <span className={styles['value']}>{column.cell(item)}</span>
              </Cell>
            ))}
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}
