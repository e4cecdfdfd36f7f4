export interface MovingKey {
  newsletterId: string
  moveId: string
  subscriptionId: string
}

/** One subscription of a move that is not over. */
export interface Moving extends MovingKey {
  fromPriceId: number
  fromAmount: number
  priceId: number
  amount: number
  noticedAt: Date | null
  test: boolean
}
