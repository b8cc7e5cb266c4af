import { Button } from "@mantine/core";

export const QuietButton = Button.withProps({ variant: "default", size: "xs" });
