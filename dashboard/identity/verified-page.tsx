export function VerifiedPage() {
  return null
}
