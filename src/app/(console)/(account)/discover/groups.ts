import type { FoundCreator } from "@/features/discovery/service";

/** Creators that are shown together. The first group has no heading. */
interface CreatorGroup {
  title: string;
  note: string;
  creators: FoundCreator[];
}

/** Creators with measured growth, then the new ones, then those whose growth cannot be measured. */
export function groupCreators(creators: readonly FoundCreator[]): CreatorGroup[] {
  const unmeasured = creators.filter(({ score_basis }) => score_basis === "profile");
  const groups = [
    { title: "", note: "", creators: creators.filter(({ score_basis }) => score_basis === "history") },
    {
      title: "New, measured from tomorrow",
      note: "First growth after tomorrow's run at 06:00 UTC. Until then the score is an estimate.",
      creators: unmeasured.filter(({ counts }) => counts !== "hidden"),
    },
    {
      title: "Subscribers hidden by the channel",
      note: "Without a visible count there is no growth and no score.",
      creators: unmeasured.filter(({ counts }) => counts === "hidden"),
    },
  ];
  return groups.filter((group) => group.creators.length > 0);
}
