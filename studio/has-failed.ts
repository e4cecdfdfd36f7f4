/** For what is not asked again by itself: when the connection is back, only what got no answer is. */
export const hasFailed = ({ state }: { state: { status: string } }): boolean => state.status === 'error'
