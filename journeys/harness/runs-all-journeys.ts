/** Runs all journeys: whether the proof `journeys` runs, which has the time for what `npm test` looks at in one place alone. */
import { test } from '@playwright/test'

export const runsAllJourneys = (): boolean => test.info().config.metadata['runsAll'] === true
