/** Home: what needs a person, and how the shop does. */
import { useState } from 'react'
import { DAY_MS, jstDate } from '#contract/jst.ts'
import { readFigures } from '#contract/merchant/figures.ts'
import { useRead } from '../../session/use-calls.ts'
import { Screen } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useWords } from '../../words/language.tsx'
import { AttentionCard } from './attention-card.tsx'
import { HomeFigures, PERIODS } from './home-figures.tsx'
import { homeWords } from './words.ts'

const REFETCH_MS = 60_000
const DAYS = Math.max(...PERIODS)

export const HomeScreen = () => {
  const words = useWords(homeWords)
  // Without an end: the server's today is the last day.
  const [from] = useState(() => jstDate(Date.now() - (DAYS - 1) * DAY_MS))
  const figures = useRead(readFigures, { query: { from } }, { again: REFETCH_MS })
  return (
    <Screen title={words.title}>
      <AttentionCard />
      <Reading of={figures}>{({ days }) => <HomeFigures days={days} />}</Reading>
    </Screen>
  )
}
