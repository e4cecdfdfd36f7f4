export function SubscribersPage() {
  return null
}
