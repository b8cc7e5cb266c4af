"use client";

export { FailurePage as default } from "@/ui/failure-page";
