/** Checkouts screen: one search box, filters, and an endless list with its CSV. */
import { Link, useSearchParams } from 'wouter'
import { Button } from '#ui/button.tsx'
import { exportCheckouts } from '#contract/merchant/checkout-lists.ts'
import { downloadText } from '../../forms/download.ts'
import { FailureNotice } from '../../forms/notice.tsx'
import { hasRole, useShop } from '../../session/session.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Card, Screen } from '../../shell/screen.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { CheckoutList } from './checkout-list.tsx'
import { FilterForm } from './filter-form.tsx'
import { addressOf, filtersIn, queryOf } from './filters.ts'
import { checkoutsWords } from './words.ts'
import styles from './checkouts.module.css'

/** The browser takes it away when it reads the answer, and Excel needs it. */
const BYTE_ORDER_MARK = '\uFEFF'

export const CheckoutsScreen = () => {
  const words = useWords(checkoutsWords)
  const { locale } = useLanguage()
  const [send, toast, { role, label }] = [useSend(), useToast(), useShop()]
  const [address, setAddress] = useSearchParams()
  const filters = filtersIn(address)
  const exporting = useAction(
    () => {
      const query = { ...queryOf(filters), ...(locale === 'ja' ? { locale: 'ja_JP' as const } : {}) }
      return send(exportCheckouts, { query })
    },
    (csv) => {
      downloadText(`checkouts-${label}.csv`, 'text/csv;charset=utf-8', BYTE_ORDER_MARK + csv)
      toast(words.csvDone)
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
            disabled={exporting.isRunning}
          >
            {words.csv}
          </Button>
        </>
      }
    >
      <FailureNotice failure={exporting.failure} />
      <Card>
        <FilterForm filters={filters} onChange={(next) => setAddress(addressOf(next))} />
      </Card>
      <CheckoutList key={String(addressOf(filters))} filters={filters} />
    </Screen>
  )
}
