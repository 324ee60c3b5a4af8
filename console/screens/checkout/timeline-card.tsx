/** Timeline card: what happened to a checkout, the newest first, in plain sentences. */
import { Button } from '#ui/button.tsx'
import { readTimeline, type TimelineItem } from '#contract/merchant/timeline.ts'
import { useReadPages } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { hasReason, tellChange, timelineWords } from './timeline-words.ts'
import { checkoutWords } from './words.ts'
import styles from './checkout.module.css'

const Change = ({ item }: { readonly item: TimelineItem }) => {
  const [told, { time }] = [useWords(timelineWords), useFormats()]
  return (
    <li className={styles['change']}>
      <span className={styles['sentence']}>{tellChange(item, told)}</span>
      <span className={styles['when']}>
        {time(item.at)} · {told.by[item.by] ?? item.by}
        {hasReason(item) ? ` · ${item.why}` : ''}
      </span>
    </li>
  )
}

/** `version`: another one reads it again, for it has changed. */
export const TimelineCard = ({ checkoutId, version }: { readonly checkoutId: string; readonly version: string }) => {
  const words = useWords(checkoutWords)
  const pages = useReadPages<TimelineItem>([readTimeline.path, checkoutId, version], (api, shop, after, signal) =>
    api.send(
      readTimeline,
      { params: { checkoutId }, query: { limit: '50', ...(after === undefined ? {} : { after }) } },
      shop,
      signal,
    ),
  )
  return (
    <Card title={words.timeline}>
      <Reading of={pages}>
        {(read) => (
          <>
            <ol className={styles['timeline']}>
              {read.pages
                .flatMap(({ items }) => items)
                .map((item, at) => (
                  // Two changes of one moment may read alike; the list only grows at its ends.
                  // oxlint-disable-next-line no-array-index-key
                  <Change key={at} item={item} />
                ))}
            </ol>
            {pages.hasNextPage ? (
              <Button
                kind="secondary"
                type="button"
                busy={pages.isFetchingNextPage}
                disabled={pages.isFetchingNextPage}
                onClick={() => void pages.fetchNextPage()}
              >
                {words.older}
              </Button>
            ) : null}
          </>
        )}
      </Reading>
    </Card>
  )
}
