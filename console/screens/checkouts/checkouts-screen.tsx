/** Checkouts screen: one search box, filters, and an endless list with its CSV. */
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Button } from '../../forms/button.tsx'
import { EXPORT_DAYS_MAX, exportCheckouts } from '#contract/merchant/checkout-lists.ts'
import { hasRole } from '#contract/console/roles.ts'
import { downloadCsv } from '../../forms/download.ts'
import { FailureNotice } from '../../forms/notice.tsx'
import { useShop } from '../../session/session.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Card, Screen } from '../../shell/screen.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { CheckoutList } from './checkout-list.tsx'
import { exportDays } from './export-days.ts'
import { FilterForm } from './filter-form.tsx'
import { addressOf, filtersIn, queryOf } from './filters.ts'
import { checkoutsWords } from './words.ts'
import styles from './checkouts.module.css'

export const CheckoutsScreen = () => {
  const words = useWords(checkoutsWords)
  const { locale } = useLanguage()
  const [send, toast, { role, label }] = [useSend(), useToast(), useShop()]
  const [address, setAddress] = useSearchParams()
  const filters = filtersIn(address)
  const [now] = useState(() => Date.now())
  const days = exportDays(filters.created, now)
  const exporting = useAction(
    () => {
      const query = { ...queryOf(filters), ...(locale === 'ja' ? { locale: 'ja_JP' as const } : {}) }
      return send(exportCheckouts, { query })
    },
    (csv) => {
      downloadCsv(`checkouts-${label}`, csv)
      if (days !== null) toast(words.csvDone(days.from, days.to))
    },
  )
  return (
    <Screen
      title={words.title}
      actions={
        <>
          {hasRole(role, 'staff') ? (
            <Link className={styles['new']} href="/new-link">
              {words.newLink}
            </Link>
          ) : null}
          <Button
            kind="secondary"
            type="button"
            onClick={exporting.run}
            busy={exporting.isRunning}
            disabled={exporting.isRunning || days === null}
            describedBy="csv-days"
          >
            {words.csv}
          </Button>
        </>
      }
    >
      <p id="csv-days" className={styles['csvDays']}>
        {days === null ? words.csvTooLong(EXPORT_DAYS_MAX) : words.csvDays(days.from, days.to)}
      </p>
      <FailureNotice failure={exporting.failure} />
      <Card>
        <FilterForm filters={filters} onChange={(next) => setAddress(addressOf(next))} />
      </Card>
      <CheckoutList key={String(addressOf(filters))} filters={filters} />
    </Screen>
  )
}
