export function SenderPage() {
  return null
}
