/** Timeline card: what happened to a checkout, the newest first, in plain sentences. */
import { useEffect, useRef } from 'react'
import { readTimeline, type TimelineItem } from '#contract/merchant/timeline.ts'
import { MoreButton } from '../../forms/more-button.tsx'
import { useReadPages } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { reasonWords, tellReason } from './reason-words.ts'
import { tellChange, timelineWords } from './timeline-words.ts'
import { checkoutWords } from './words.ts'
import styles from './checkout.module.css'

const Change = ({ item }: { readonly item: TimelineItem }) => {
  const [told, { time }] = [useWords(timelineWords), useFormats()]
  const reason = tellReason(item, useWords(reasonWords))
  return (
    <li className={styles['change']}>
      <span className={styles['sentence']}>{tellChange(item, told)}</span>
      <span className={styles['when']}>
        {time(item.at)} · {told.by[item.by] ?? item.by}
        {reason === null ? '' : ` · ${reason}`}
      </span>
    </li>
  )
}

interface TimelineCardProps {
  readonly checkoutId: string
  /** Another one reads it again at once: the last change comes when the checkout is no longer read by itself. */
  readonly version: string
  /** As the checkout itself: a declined try changes nothing of it, and belongs here. */
  readonly again: number | false
}

export const TimelineCard = ({ checkoutId, version, again }: TimelineCardProps) => {
  const words = useWords(checkoutWords)
  const pages = useReadPages<TimelineItem>(
    [readTimeline.path, checkoutId],
    (api, shop, after, signal) =>
      api.send(
        readTimeline,
        { params: { checkoutId }, query: { limit: '50', ...(after === undefined ? {} : { after }) } },
        shop,
        signal,
      ),
    again,
  )
  const { refetch } = pages
  const shown = useRef(version)
  useEffect(() => {
    if (shown.current === version) return
    shown.current = version
    void refetch()
  }, [refetch, version])
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
            <MoreButton of={pages} />
          </>
        )}
      </Reading>
    </Card>
  )
}
