export function BrandingPage() {
  return null
}
