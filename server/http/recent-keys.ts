import { LRUCache } from 'lru-cache'

/**
 * The keys of the last `seconds`, at most `most` of them: the one that was used longest ago makes room. Memory is taken as they come.
 * With `max` the cache would take it for all of them at the start, 4 MB for 100,000.
 */
export const recentKeys = (most: number, seconds: number): LRUCache<string, true> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl: seconds * 1000 })
